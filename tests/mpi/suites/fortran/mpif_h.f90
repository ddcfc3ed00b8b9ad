! SPDX-License-Identifier: Apache-2.0
! Device memory through mpif.h: messages to the next rank, sums, a broadcast, and a type with gaps.
program device_messages
  use devices
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 1000
  integer, pointer, contiguous :: given(:), taken(:)
  integer :: rank, ranks, next, previous, errors, all_errors, k
  integer :: requests(2), status(MPI_STATUS_SIZE), every_second, failed

  call mpi_init(failed)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, failed)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, failed)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  errors = 0
  call device_array(given, n)
  call device_array(taken, n)
  call to_device(given, [(k * (rank + 1), k = 1, n)])

  ! blocking, even ranks first
  call to_device(taken, [(0, k = 1, n)])
  if (mod(rank, 2) == 0) then
    call mpi_send(given, n, MPI_INTEGER, next, 7, MPI_COMM_WORLD, failed)
    call mpi_recv(taken, n, MPI_INTEGER, previous, 7, MPI_COMM_WORLD, status, failed)
  else
    call mpi_recv(taken, n, MPI_INTEGER, previous, 7, MPI_COMM_WORLD, status, failed)
    call mpi_send(given, n, MPI_INTEGER, next, 7, MPI_COMM_WORLD, failed)
  end if
  call expect('send and recv', [(k * (previous + 1), k = 1, n)])

  ! non-blocking, and a message that is shorter than its buffer: the rest stays as it was
  call to_device(taken, [(-1, k = 1, n)])
  call mpi_irecv(taken, n, MPI_INTEGER, previous, 8, MPI_COMM_WORLD, requests(1), failed)
  call mpi_isend(given, n / 2, MPI_INTEGER, next, 8, MPI_COMM_WORLD, requests(2), failed)
  call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, failed)
  call expect('isend and irecv', [(k * (previous + 1), k = 1, n / 2), (-1, k = n / 2 + 1, n)])

  ! every second element
  call mpi_type_vector(n / 2, 1, 2, MPI_INTEGER, every_second, failed)
  call mpi_type_commit(every_second, failed)
  call to_device(taken, [(-1, k = 1, n)])
  call mpi_sendrecv(given, 1, every_second, next, 9, taken, 1, every_second, previous, 9, &
                    MPI_COMM_WORLD, status, failed)
  call expect('a type with gaps', [(merge(k * (previous + 1), -1, mod(k, 2) == 1), k = 1, n)])
  call mpi_type_free(every_second, failed)

  call mpi_allreduce(given, taken, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, failed)
  call expect('allreduce', [(k * (ranks * (ranks + 1) / 2), k = 1, n)])

  call to_device(taken, [(k * (rank + 1), k = 1, n)])
  call mpi_allreduce(MPI_IN_PLACE, taken, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, failed)
  call expect('allreduce in place', [(k * ranks, k = 1, n)])

  call to_device(taken, [(k * (rank + 1), k = 1, n)])
  call mpi_bcast(taken, n, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, failed)
  call expect('bcast', [(k * ranks, k = 1, n)])

  call mpi_reduce(errors, all_errors, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, failed)
  if (rank == 0 .and. all_errors == 0) print *, 'No Errors'
  call mpi_finalize(failed)

contains

  subroutine expect(what, values)
    character(*), intent(in) :: what
    integer, intent(in) :: values(:)
    integer :: found(n)
    found = to_host(taken)
    if (any(found /= values)) then
      k = findloc(found /= values, .true., 1)
      print *, what, ': rank', rank, 'has', found(k), 'at', k, 'instead of', values(k)
      errors = errors + 1
    end if
  end subroutine

end program
