! SPDX-License-Identifier: Apache-2.0
! Device arrays for the three programs beside this: CUDA's runtime through its C interface.
module devices
  use iso_c_binding
  implicit none
  private
  public :: device_array, to_device, to_host

  interface
    integer(c_int) function cudaMalloc(pointer, bytes) bind(c, name='cudaMalloc')
      import
      type(c_ptr) :: pointer
      integer(c_size_t), value :: bytes
    end function
    integer(c_int) function cudaMemcpy(to, from, bytes, kind) bind(c, name='cudaMemcpy')
      import
      type(c_ptr), value :: to, from
      integer(c_size_t), value :: bytes
      integer(c_int), value :: kind
    end function
  end interface

contains

  ! An array of n integers in device memory, which the host must not touch.
  subroutine device_array(array, n)
    integer, pointer, contiguous, intent(out) :: array(:)
    integer, intent(in) :: n
    type(c_ptr) :: memory
    if (cudaMalloc(memory, 4_c_size_t * n) /= 0) error stop 'cudaMalloc failed'
    call c_f_pointer(memory, array, [n])
  end subroutine

  subroutine to_device(array, values)
    integer, pointer, contiguous, intent(in) :: array(:)
    integer, target, intent(in) :: values(:)
    integer, target :: host(size(values))
    host = values
    if (cudaMemcpy(c_loc(array), c_loc(host), 4_c_size_t * size(host), 1) /= 0) error stop 'cudaMemcpy failed'
  end subroutine

  function to_host(array) result(values)
    integer, pointer, contiguous, intent(in) :: array(:)
    integer, target :: values(size(array))
    if (cudaMemcpy(c_loc(values), c_loc(array), 4_c_size_t * size(array), 2) /= 0) error stop 'cudaMemcpy failed'
  end function

end module
