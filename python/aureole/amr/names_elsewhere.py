# SPDX-License-Identifier: Apache-2.0
"""Names in Athena++, PyClaw, FLASH and Castro, with their counterparts here."""

from __future__ import annotations


def _each(names: str, here: str) -> dict[str, str]:
    """The counterpart `here` for each of some names."""
    return dict.fromkeys(names.split(), here)


_OWN = "Add it as a file, which is compiled in: docs/howto/add-a-riemann-solver.md"
_HOW = "docs/howto/simulate-a-gas.md"

#: Names looked up in the package, in any case and with any underscores: see `of_package`.
OF_PACKAGE = {
    **_each(
        "Box BoxArray Dimension Domain Geometry Grid MeshBlock Patch",
        "Use amr.Mesh(box=[(0, 1)], roots=(16,)), with 8 cells for each root",
    ),
    **_each(
        "Castro ClawSolver1D ClawSolver2D ClawSolver3D Controller Driver Euler Hydro "
        "SharpClawSolver1D SharpClawSolver2D SharpClawSolver3D Solution Solver",
        "Use amr.Simulation(mesh, gas, scheme), then sim.set(...) and sim.run(until=...)",
    ),
    **_each(
        "MultiFab State",
        'Use sim.get("density"), and sim.set(density=..., pressure=..., velocity=...)',
    ),
    **_each("EOS EquationOfState Gas GammaLaw", "Use amr.IdealGas(gamma=1.4)"),
    **_each("HLLC RiemannSolver", 'Use amr.Scheme(riemann="hllc")'),
    **_each("HLL HLLE", 'Use amr.Scheme(riemann="hlle")'),
    **_each("LaxFriedrichs LLF Rusanov", 'Use amr.Scheme(riemann="llf")'),
    "Roe": f'Use amr.Scheme(riemann="hllc"), "hlle" or "llf". {_OWN}',
    **_each("PLM PPM Reconstruction", 'Use amr.Scheme(reconstruct="plm"), "ppm" or "wenoz"'),
    **_each("WENO WENO5 WENOZ", 'Use amr.Scheme(reconstruct="wenoz")'),
    **_each("DonorCell Godunov", 'Use amr.Scheme(reconstruct="constant")'),
    "limiters": f'Use amr.Scheme(reconstruct="plm"), "ppm" or "wenoz". {_OWN}',
    **_each(
        "FirstOrderFluxCorrection FOFC Floors",
        "Steps are repaired: amr.Scheme(repair=True), the default; sim.repairs counts them",
    ),
    **_each("RK2 RK3", 'Use amr.Scheme(steps="rk2") or "rk3"'),
    **_each(
        "BC BCs Boundary BoundaryConditions BoundaryValues",
        'Use amr.Mesh(..., boundary="outflow"), "reflecting", "periodic" or amr.Fixed(...)',
    ),
    **_each("ShockTube Sod", "Use amr.sod()"),
    **_each("Blast Sedov SedovTaylor TaylorSedov", "Use amr.sedov()"),
    **_each("LinearWave", "Use amr.sound_wave()"),
    **_each("Riemann", "Use amr.exact.riemann(left, right, gamma, x / t)"),
    **_each("KH", "Use amr.kelvin_helmholtz()"),
    **_each("IsentropicVortex ShuVortex YeeVortex", "Use amr.vortex()"),
    "LiskaWendroff": "Use amr.implosion()",
    **_each(
        "RayleighTaylor ShkCloud ShockCloud",
        f"Give sim.set() a function of the coordinates that returns its fields: {_HOW}",
    ),
    **{
        name: f"Use au.{name}, with `import aureole as au`"
        for name in ("Callback", "Checkpoint", "Device", "Log", "Progress", "TimeLimit")
    },
    **_each(
        "HDF5 Output Outputs PlotFile Trajectory VTK XDMF",
        'Use amr.Snapshot("name", every_time=...) among the observers',
    ),
    **_each("Gravity SourceTerm", f"It is not there; a callback adds it: {_HOW}"),
    **_each(
        "MHD Particles Scalars Tracers",
        "It is not there: docs/theory/fluids.md says what is",
    ),
    **_each(
        "AMR Level Levels Refinement SMR StaticRefinement",
        "Use amr.Mesh(..., max_level=2), amr.Simulation(mesh, "
        'refine=[amr.SecondDerivative("pressure")]), or amr.Region(box, level=2)',
    ),
    **_each(
        "Dirichlet Inflow UserBoundary", "Use amr.Fixed(density=1, pressure=1, velocity=(3, 0))"
    ),
    "ParameterInput": "Give the arguments of amr.Mesh, amr.IdealGas, amr.Scheme, amr.Simulation",
}


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


_PLAIN = {_plain(name): here for name, here in OF_PACKAGE.items()}


def of_package(name: str) -> str | None:
    """The counterpart of a name in other codes, such as `HLLC`, `hllc` and `sedov_taylor`."""
    return _PLAIN.get(_plain(name))


#: Attributes looked up in a `Simulation`.
OF_SIMULATION = {
    **_each("advance evolve solve", "sim.run(until=...)"),
    **_each("current_time t", "sim.time"),
    **_each("domain geometry grid", "sim.mesh"),
    **_each("cons prim q state", 'sim.get("density") and other fields'),
    **_each("dens density rho", 'sim.get("density")'),
    **_each("p pres press pressure", 'sim.get("pressure")'),
    **_each("u v vel velocity", 'sim.get("velocity")'),
    **_each("E energy", 'sim.get("energy"), or sim.totals["energy"] of the whole box'),
    "momentum": 'sim.get("momentum"), or sim.totals["momentum"] of the whole box',
    "mass": 'sim.totals["mass"]',
    "cfl": "sim.scheme.cfl",
    "eos": "sim.gas",
    "gamma": "sim.gas.gamma",
    "temperature": 'sim.get("pressure") / sim.get("density"), which is R T / M',
    **{axis: f'sim.mesh.centers("{axis}")' for axis in "xyz"},
    "plot": 'amr.picture(sim, "density", "density.png")',
    "write": 'amr.Snapshot("name", every_time=...) among the observers',
}

#: Fields.
FIELDS = {
    **_each("dens rho", "density"),
    **_each("p pres press prs", "pressure"),
    **_each("E ener etot", "energy"),
    **_each("cs sound soundspeed", "sound_speed"),
    **_each("u v vel velocities", "velocity"),
    **{
        name: f"{vector}_{axis}"
        for vector, short, letter in (("velocity", "vel", "v"), ("momentum", "mom", "m"))
        for k, axis in enumerate("xyz", 1)
        for name in (f"{letter}{axis}", f"{short}{axis}", f"{short}{k}", f"{axis}{short}")
    },
}

#: Boundaries.
BOUNDARIES = {
    **_each("copy extrap extrapolate free open transmissive", "outflow"),
    **_each("mirror reflect reflection slip symmetry wall", "reflecting"),
    "wrap": "periodic",
}

#: Boundaries that are an `amr.Fixed`.
FIXED_BOUNDARIES = frozenset(("custom", "dirichlet", "ext_dir", "fixed", "inflow", "user"))

_BOX = "Give box=[(low, high), ...], with a pair for each axis"

#: Arguments of a `Mesh`.
OF_MESH = {
    **_each(
        "bc bc_lower bc_upper bcs boundaries boundary_conditions hi_bc ix1_bc lo_bc ox1_bc "
        "xl_boundary_type xr_boundary_type",
        'Give boundary="outflow", or a list with a name or a pair of names for each axis',
    ),
    **_each("is_periodic periodic", 'Give boundary="periodic", which is the default'),
    **_each(
        "cells n n_cell ncells num_cells nx nx1 nx2 nx3 ny nz resolution shape",
        "Give roots, the numbers of sub-grids, which have 8 cells along each axis",
    ),
    **_each(
        "dims domain extent lower ndim num_dim prob_hi prob_lo upper x1max x1min xlim xmax xmin",
        _BOX,
    ),
    **_each(
        "amr_levels_max levels lrefine_max numlevel refinement",
        'Give max_level, and the simulation refine=[amr.SecondDerivative("pressure")] or '
        "amr.Region(box, level); max_level is 0 without refinement",
    ),
}

#: Arguments of a `Region`.
OF_REGION = {
    **_each("dims domain extent lower upper x1max x1min xlim xmax xmin", _BOX),
    **_each("levels lrefine max_level refinement", "Give level"),
}

#: Arguments of a criterion.
OF_CRITERION = {
    **_each("quantity refine_var refine_var_1 var variable", 'Give field, for example "pressure"'),
    **_each("refine refine_cutoff refine_value thr threshold value_max", "Give above"),
    **_each("derefine derefine_cutoff derefine_value value_min", "Give below"),
}

#: Arguments of a `Fixed`.
OF_FIXED = {
    **_each("dens rho", "Give density"),
    **_each("p pres press", "Give pressure"),
    **_each("u v vel velocity_x velx vx", "Give velocity, a number for each axis"),
}

#: Arguments of a `Scheme`.
OF_SCHEME = {
    **_each("CFL cfl_desired cfl_number courant", "Give cfl"),
    **_each(
        "limiter limiters order ppm_type reconstruction xorder",
        'Give reconstruct="plm", "ppm" or "wenoz"',
    ),
    **_each("flux riemann_solver rsolver solver", 'Give riemann="hllc", "hlle" or "llf"'),
    **_each(
        "dfloor density_floor density_reset_method efloor fofc pfloor smallp smlrho small_dens "
        "small_pres",
        "Give repair=True, the default: a bad step is made again with fluxes of first order",
    ),
    **_each("integrator rk time_integrator time_order", 'Give steps="rk2" or "rk3"'),
}

#: Arguments of an `IdealGas`.
OF_GAS = _each("adiabatic_index eos_gamma gamma_gas gamma_law", "Give gamma")

#: Arguments of a `Simulation`.
OF_ARGUMENTS = {
    **_each("bc bcs boundary boundary_conditions", 'Give it to the mesh, as boundary="outflow"'),
    **_each("domain geometry grid", "Give mesh"),
    **_each("eos gamma", "Give gas=amr.IdealGas(gamma=...)"),
    **_each("CFL cfl order reconstruct riemann solver steps", "Give scheme=amr.Scheme(...)"),
    **_each("initial pgen problem state", "Call sim.set(...) of the simulation"),
    **_each("nlim stop_time t_end tfinal tlim tmax until", "Call sim.run(until=...)"),
    **_each("callback callbacks output", "Give observers=[au.Callback(function, every=100)]"),
    **_each(
        "criteria max_level regions refinement",
        'Give refine=[amr.SecondDerivative("pressure")] or amr.Region(box, level), and max_level '
        "to the mesh",
    ),
    **_each("gravity source sources", f"It is not there; a callback adds it: {_HOW}"),
}

#: Arguments of `Simulation.run`.
OF_RUN = {
    **_each("stop_time t t_end tfinal time tlim tmax", "Give until"),
    **_each("max_step max_steps nlim nstep", "Give steps"),
}

#: Arguments of `sod` and `sound_wave`.
OF_TUBE = {
    **_each("dim dimension dimensions dims direction ndim", 'Give axis, "x", "y" or "z"'),
    **_each("n nx nx1 resolution", "Give cells"),
}

#: Arguments of `sedov`.
OF_BLAST = {
    **_each("axes axis dim dimension dimensions ndim", "Give dims, the number of axes"),
    **_each("n nx nx1 resolution", "Give cells"),
    **_each("E e0", "Give energy"),
    **_each("p0 p_ambient", "Give pressure"),
    **_each("rho rho0", "Give density"),
}

#: Arguments of problems in a square.
OF_SQUARE = _each("n nx nx1 nx2 resolution", "Give cells")

#: Arguments of `noh`.
OF_NOH = {
    **OF_SQUARE,
    **_each("axes axis dim dimension dimensions ndim", "Give dims, the number of axes"),
    **_each("p0 p_ambient", "Give pressure"),
}

#: Quantities of a `Log`, by the names of the history files of Athena++ and AthenaK.
QUANTITIES = {
    **{f"{k}-mom": f"momentum_{axis}" for k, axis in enumerate("xyz", 1)},
    **{f"mom{k}": f"momentum_{axis}" for k, axis in enumerate("xyz", 1)},
    "tot-E": "energy",
    "total": "energy",
    "eint": "internal",
    "ke": "kinetic",
    "t": "time",
}
