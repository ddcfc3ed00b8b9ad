# SPDX-License-Identifier: Apache-2.0
"""Which options of .mdp files are compared with GROMACS, in which job, and what shows the others.

A case runs its job with some options (`more`) and, beside them, with the option that it is about;
GROMACS' numbers of both stand in tests/data/effects.json, made by validation/make_effects.py. They
have to differ, and ours have to be those of GROMACS.
"""

from __future__ import annotations

from dataclasses import dataclass, field

#: Largest difference from GROMACS, in parts of the largest number of a kind.
TOLERANCE = 1e-9
#: That of pressures, in which large parts cancel: virials of stiff bonds and kinetic energies.
OF_PRESSURE = 10 * TOLERANCE


@dataclass(frozen=True)
class Case:
    """One value of one option in one job.

    Args:
        option, value: what is shown
        job: of `effect_jobs`
        more: options beside those of the job, with and without the option
        tolerances: of differences from GROMACS by kind of number, where they are wider
        because: why they are
        same: GROMACS' numbers do not change; why that is so. A test of OWN or another case shows
            the option then, unless all its other values are refused
        bare: options of the run without it, where they are not `more`
        change: if positive, what the option changes of velocities (of the box, with a barostat) is
            compared alone, up to this part of it; `because` says why
    """

    option: str
    value: str
    job: str
    more: dict[str, str] = field(default_factory=dict)
    tolerances: dict[str, float] = field(default_factory=dict)
    because: str = ""
    same: str = ""
    bare: dict[str, str] | None = None
    change: float = 0.0

    def tolerance(self, kind: str) -> float:
        """Of the differences of one kind of number."""
        usual = OF_PRESSURE if kind == "pressure" else TOLERANCE
        return self.tolerances.get(kind, self.tolerances.get("all", usual))

    @property
    def without(self) -> dict[str, str]:
        """Options of the run beside it."""
        return self.more if self.bare is None else self.bare

    @property
    def options(self) -> dict[str, str]:
        """Of the run that shows it."""
        return self.more | {self.option: self.value}

    @property
    def name(self) -> str:
        return run_name(self.job, self.options)


def run_name(job: str, options: dict[str, str]) -> str:
    """The name of a run in the file of numbers."""
    return ", ".join([job, *(f"{key} = {value}" for key, value in sorted(options.items()))])


#: Why numbers cannot be the same to more digits.
CANCELS = "energies of charges cancel but for one part in a thousand"
BEFORE = "GROMACS' kinetic energy is from before the drift of the step is taken off"
PAIRS = "a pair that comes within the cut-off may be missing, as tolerated"
THERMOSTATS = "barostats act a step earlier; docs/mdrun.md"
OWN_STEPS = "the equations of motion are integrated in another way; docs/mdrun.md"
SOLVER = "solutions within shake-tol"
MESH = {"coulombtype": "PME", "fourierspacing": "0.1"}
#: Constraints so exact that solvers cannot be told apart.
EXACT = {"lincs-order": "12", "lincs-iter": "8"}
DRIFT = {"tolerances": {"kinetic": 1e-5, "pressure": 1e-4}, "because": BEFORE}
DIAGONAL = {
    "tolerances": {"pressure": 1.0},
    "because": "GROMACS leaves out what restraints add off the diagonal; test_restraint_pressure",
}
SYMMETRIC = {
    "tolerances": {"pressure": 1.0},
    "because": "forces towards an axis turn the system; here pressures are symmetric",
}
RIGID = {"constraints": "all-bonds", **EXACT}
SWITCH = {"vdw-modifier": "Force-switch", "rvdw-switch": "0.6"}
LINEAR = {"comm-mode": "Linear", "nstcomm": "1"}
FIELD = {"electric-field-x": "0.8 300 0.003 0.004"}
LONGER = {"nsteps": "40"}
WARM = {**LONGER, "tc-grps": "System", "tau-t": "0.05", "ref-t": "150", "nsttcouple": "2"}
#: Without noise, as its target is at absolute zero.
COLD = {**LONGER, "tc-grps": "System", "tau-t": "0.05", "ref-t": "0", "nsttcouple": "2"}
BERENDSEN = {"tcoupl": "Berendsen", **WARM}
PRESS = {
    "pcoupl": "Berendsen",
    "tau-p": "0.2",
    "compressibility": "4.5e-5",
    "ref-p": "900",
    "nstpcouple": "1",
}
#: A continued run of GROMACS leaves frozen atoms the velocities that the input has, and moves them.
ANEW = {"continuation": "no"}
STEEP = {"integrator": "steep"}
POSRES = {"define": "-DPOSRES"}


def case(option: str, value: str, job: str, *more: dict[str, str], **others: object) -> Case:
    """A case; of options that stand twice the last counts."""
    merged: dict[str, str] = {}
    for one in more:
        merged |= one
    return Case(option, value, job, merged, **others)  # type: ignore[arg-type]


RUN = [
    case("integrator", "md-vv", "chains"),
    case("integrator", "md-vv", "water"),
    case("define", "-DSTIFF", "chains"),
    case("define", "-DDIHRES", "chains"),
    case("define", "-DFLAT", "chains", **DIAGONAL),
    case("define", "-DANGRES", "chains"),
    case("define", "-DANGRESZ", "chains", **SYMMETRIC),
    case("define", "-DFENE", "chains"),
    case("define", "-DRANGE", "chains"),
    case("define", "-DQUARTIC", "chains"),
    case("tinit", "0.7", "chains", FIELD),
    case("dt", "0.0005", "chains"),
    case("nsteps", "7", "chains"),
    case("init-step", "1000", "chains", FIELD),
    case("comm-mode", "None", "atoms", {"nstcomm": "1"}, bare=LINEAR),
    case("comm-mode", "Linear", "atoms", {"nstcomm": "1"}),
    case("comm-mode", "Linear", "chains", {"nstcomm": "1"}),
    case("comm-mode", "Angular", "chains", {"nstcomm": "1"}, **DRIFT),
    case("comm-mode", "Linear", "atoms", ANEW, bare=ANEW),
    case("nstcomm", "0", "chains", LINEAR),
    case("comm-grps", "Left Right", "atoms", LINEAR, **DRIFT),
    case("comm-grps", "Left Middle Right", "chains", LINEAR, **DRIFT),
    case("comm-grps", "Left Middle Right", "chains", LINEAR, {"comm-mode": "Angular"}, **DRIFT),
    case("comm-grps", "Left Right", "water", LINEAR, **DRIFT),
]

LISTS = [
    case("cutoff-scheme", "Verlet", "atoms", same="group is refused"),
    case("nstlist", "5", "atoms", same="no pair comes near; searches are counted"),
    case("rlist", "0.9", "atoms", same="no pair comes near; the buffer is looked at"),
    case(
        "verlet-buffer-tolerance",
        "0.005",
        "atoms",
        same="no pair comes near; the buffer is looked at",
        tolerances={"all": 2e-3},
        because=PAIRS,
    ),
]

FORCES = [
    case("coulombtype", "Cut-off", "chains"),
    case("coulombtype", "Reaction-Field", "chains", bare=MESH),
    case("coulombtype", "PME", "atoms", {"fourierspacing": "0.1"}),
    case("coulombtype", "PME", "chains", {"fourierspacing": "0.1"}),
    case(
        "coulombtype",
        "PME",
        "water",
        {"fourierspacing": "0.1"},
        tolerances={"energy": 1e-7},
        because=CANCELS,
    ),
    case("coulomb-modifier", "None", "chains", MESH),
    case("rcoulomb", "0.7", "chains", {"rvdw": "0.7"}, bare={}),
    case(
        "rcoulomb",
        "0.8",
        "chains",
        MESH,
        {"rvdw": "0.7"},
        bare=MESH | {"rvdw": "0.7", "rcoulomb": "0.75"},
    ),
    case("epsilon-r", "4", "chains"),
    case("epsilon-rf", "78", "chains"),
    case("vdwtype", "Cut-off", "chains", same="others are names of vdw-modifier, or refused"),
    case("vdw-modifier", "None", "chains"),
    case("vdw-modifier", "Force-switch", "chains", {"rvdw-switch": "0.6"}),
    case("vdw-modifier", "Potential-switch", "chains", {"rvdw-switch": "0.6"}),
    case("rvdw-switch", "0.7", "chains", SWITCH),
    case("rvdw", "0.7", "chains", {"rcoulomb": "0.7"}, bare={}),
    case("rvdw", "0.7", "chains", MESH),
    case("DispCorr", "Ener", "atoms"),
    case("DispCorr", "EnerPres", "atoms"),
    case("DispCorr", "AllEner", "atoms"),
    case("DispCorr", "AllEnerPres", "atoms"),
    case("fourierspacing", "0.15", "chains", MESH),
    case("fourier-nx", "28", "chains", MESH),
    case("fourier-ny", "28", "chains", MESH),
    case("fourier-nz", "28", "chains", MESH),
    case("pme-order", "5", "chains", MESH),
    case("pme-order", "6", "chains", MESH),
    case("pme-order", "8", "chains", MESH),
    case("ewald-rtol", "1e-7", "chains", MESH),
    case("ewald-geometry", "3d", "chains", MESH, same="3dc is refused"),
    case("fmm-backend", "inactive", "chains", same="all others are refused"),
    case("electric-field-x", "0.5 0 0 0", "chains"),
    case("electric-field-y", "0.5 150 0 0", "chains"),
    case("electric-field-z", "0.5 150 0.006 0.003", "chains"),
]

SHAKE = {"constraint-algorithm": "SHAKE", "shake-tol": "1e-10"}
CONVERGED = {
    "tolerances": {"velocity": 1e-7, "pressure": 1e-6},
    "because": "shake-tol over the time step",
}
VERLET = {"integrator": "md-vv"}
ONCE = {"constraints": "all-bonds"}

CONSTRAINTS = [
    case("constraints", "none", "chains", EXACT, bare=RIGID),
    case("constraints", "h-bonds", "chains", EXACT),
    case("constraints", "all-bonds", "chains", EXACT),
    case("constraint-algorithm", "LINCS", "chains", RIGID, bare=ONCE),
    case("constraint-algorithm", "SHAKE", "chains", RIGID, SHAKE, bare=ONCE, **CONVERGED),
    case(
        *("constraint-algorithm", "SHAKE", "chains", RIGID, SHAKE, VERLET),
        bare=ONCE | VERLET,
        **CONVERGED,
    ),
    case(
        *("shake-tol", "1e-6", "chains", RIGID, SHAKE),
        tolerances={"all": 1e-4, "pressure": 1e-2},
        because=SOLVER,
        same="test_shake_tol_is_met looks at the lengths themselves",
    ),
    case("continuation", "no", "chains", RIGID),
    case("continuation", "no", "water", same="the start satisfies the constraints"),
    case("continuation", "no", "sites", MESH, tolerances={"energy": 1e-7}, because=CANCELS),
    case("continuation", "yes", "sites", same="sites are placed at each step"),
]

VERLET_WARM = {**WARM, **VERLET, "tau-t": "0.2"}
GROUPS = {"tau-t": "0.05 0.1 -1", "ref-t": "150 400 300"}
OTHER_STEPS = {"change": 0.3, "because": OWN_STEPS}
SINGLE = {"annealing-npoints": "2", "annealing-time": "0 0.04", "annealing-temp": "100 900"}
PERIODIC = {
    "annealing-npoints": "3",
    "annealing-time": "0 0.01 0.03",
    "annealing-temp": "100 900 100",
}

TEMPERATURE = [
    case("tcoupl", "No", "chains", WARM, bare=BERENDSEN),
    case("tcoupl", "V-rescale", "chains", COLD),
    case("tcoupl", "Nose-Hoover", "chains", WARM, {"tau-t": "0.2"}, **OTHER_STEPS),
    case("tcoupl", "Nose-Hoover", "chains", VERLET_WARM, **OTHER_STEPS),
    case("tcoupl", "Berendsen", "chains", WARM),
    case("tcoupl", "Berendsen", "water", WARM),
    case("nsttcouple", "5", "chains", BERENDSEN, bare={}),
    case(
        *("nh-chain-length", "3", "chains", VERLET_WARM, {"tcoupl": "Nose-Hoover"}),
        bare=VERLET_WARM | {"tcoupl": "Nose-Hoover", "nh-chain-length": "1"},
        **OTHER_STEPS,
    ),
    case("tau-t", "0.02", "chains", BERENDSEN),
    case("ref-t", "400", "chains", BERENDSEN),
    case("tc-grps", "Left Middle Right", "chains", BERENDSEN, GROUPS, bare=BERENDSEN),
    case("annealing", "single", "chains", BERENDSEN, SINGLE),
    case(
        "annealing-npoints",
        "3",
        "chains",
        BERENDSEN,
        PERIODIC,
        {"annealing": "periodic"},
        bare=BERENDSEN,
    ),
    case(
        "annealing-time",
        "0 0.02",
        "chains",
        BERENDSEN,
        SINGLE,
        {"annealing": "single"},
        bare=BERENDSEN,
    ),
    case(
        "annealing-temp",
        "900 100",
        "chains",
        BERENDSEN,
        SINGLE,
        {"annealing": "single"},
        bare=BERENDSEN,
    ),
]

BAROSTAT = {**BERENDSEN, **PRESS}
SEMI = {"compressibility": "4.5e-5 3e-5", "ref-p": "900 300"}
ALL = {"compressibility": "4.5e-5 3e-5 2e-5 0 0 0", "ref-p": "900 300 500 0 0 0"}
OF_BOX = {"change": 0.15, "because": THERMOSTATS, "bare": BERENDSEN}
#: Where the pressure passes the one wanted, a step more or less counts.
OF_SMALL = {**OF_BOX, "change": 0.6}
OF_OTHER_BOX = {"change": 0.3, "because": OWN_STEPS, "bare": BERENDSEN}

PRESSURE = [
    case("pcoupl", "No", "chains", BAROSTAT, **{**OF_BOX, "bare": BAROSTAT}),
    case("pcoupl", "C-rescale", "chains", PRESS, COLD, {"tcoupl": "V-rescale"}, **OF_OTHER_BOX),
    case("pcoupl", "Parrinello-Rahman", "chains", BAROSTAT, **OF_OTHER_BOX),
    case("pcoupl", "Berendsen", "chains", BAROSTAT, **OF_BOX),
    case("pcoupl", "Berendsen", "water", BAROSTAT, **OF_BOX),
    case("pcoupltype", "isotropic", "chains", BAROSTAT, **OF_BOX),
    case("pcoupltype", "semiisotropic", "chains", BAROSTAT, SEMI, **OF_BOX),
    case("pcoupltype", "anisotropic", "chains", BAROSTAT, ALL, **OF_BOX),
    case("nstpcouple", "5", "chains", BAROSTAT, **OF_SMALL),
    case("tau-p", "0.4", "chains", BAROSTAT, **OF_BOX),
    case("compressibility", "9e-5", "chains", BAROSTAT, **OF_BOX),
    case("ref-p", "200", "chains", BAROSTAT, **OF_SMALL),
    case("refcoord-scaling", "No", "chains", BAROSTAT, POSRES, **OF_BOX),
    case("refcoord-scaling", "All", "chains", BAROSTAT, POSRES, **OF_BOX),
    case("refcoord-scaling", "COM", "chains", BAROSTAT, POSRES, **OF_BOX),
]

DOWN = {
    "tolerances": {"force": 1e-7},
    "because": "at steps with energies GROMACS takes forces of 1-4 pairs from tables",
}

DOWNHILL = [
    case("integrator", "steep", "chains", **DOWN),
    case("emstep", "0.002", "chains", STEEP, **DOWN),
    case("emtol", "1e4", "chains", STEEP, **DOWN),
]


FROZEN = [
    case("freezegrps", "Left", "chains", ANEW, {"freezedim": "Y Y Y"}, bare=ANEW),
    case("freezedim", "Y N Y", "atoms", ANEW, {"freezegrps": "Left"}, bare=ANEW),
    case(
        *("freezegrps", "Left", "water", ANEW, {"freezedim": "Y Y Y"}),
        bare=ANEW,
        tolerances={"moved": 1e-8},
        because="GROMACS moves the frozen onto constraints, by the last digit of the input",
    ),
]

CASES = [*RUN, *LISTS, *FORCES, *CONSTRAINTS, *DOWNHILL, *TEMPERATURE, *PRESSURE, *FROZEN]

#: Options, or values of them, that tests of their own show; what they have to do with dynamics
#: cannot be compared number by number, or it is files that they are about.
OWN = {
    "include": "gromacs/test_top_preprocess.py::test_files_are_looked_for_in_order",
    "integrator = sd": "gromacs/test_effects_alone.py::test_friction_and_noise_of_sd",
    "ld-seed": "gromacs/test_effects_alone.py::test_noise_follows_ld_seed",
    "mass-repartition-factor": "gromacs/test_repartition.py::test_the_option_is_honoured",
    "nstxout": "end_to_end/test_mdrun.py::test_intervals_of_positions_velocities_and_forces",
    "nstvout": "end_to_end/test_mdrun.py::test_intervals_of_positions_velocities_and_forces",
    "nstfout": "end_to_end/test_mdrun.py::test_intervals_of_positions_velocities_and_forces",
    "nstxout-compressed": "end_to_end/test_mdrun.py::test_files_of_a_run",
    "compressed-x-precision": "end_to_end/test_mdrun.py::test_groups_and_precision",
    "compressed-x-grps": "end_to_end/test_mdrun.py::test_groups_and_precision",
    "nstenergy": "end_to_end/test_mdrun.py::test_files_of_a_run",
    "nstlog": "end_to_end/test_mdrun.py::test_files_of_a_run",
    "simulation-part": "end_to_end/test_mdrun.py::test_parts_count_from_simulation_part",
    "pbc = xy": "engine/test_open_boxes.py::test_as_in_a_box_with_room",
    "pbc = no": "engine/test_open_boxes.py::test_without_cut_off_as_by_hand",
    "periodic-molecules": "gromacs/test_effects_alone.py::test_molecules_bound_to_their_images",
    "lincs-order": "gromacs/test_effects_alone.py::test_order_and_iterations_of_lincs",
    "lincs-iter": "gromacs/test_effects_alone.py::test_order_and_iterations_of_lincs",
    "nstlist": "gromacs/test_effects_alone.py::test_lists_live_nstlist_steps",
    "rlist": "gromacs/test_effects_alone.py::test_rlist_is_the_radius_of_lists",
    "verlet-buffer-tolerance": "gromacs/test_effects_alone.py::test_buffers_follow_their_tolerance",
    "shake-tol": "gromacs/test_effects.py::test_shake_tol_is_met",
    "lincs-warnangle": "jobs/test_from_gromacs.py::test_bonds_that_turn_far_are_reported",
    "gen-vel": "gromacs/test_effects_alone.py::test_drawn_velocities",
    "gen-temp": "gromacs/test_effects_alone.py::test_drawn_velocities",
    "gen-seed": "gromacs/test_effects_alone.py::test_drawn_velocities",
}

#: Values that are read as others, and the options that mean the same.
SAME_AS = {
    "tcoupl = yes": {"tcoupl": "Berendsen"},
    "pcoupl = Isotropic": {"pcoupl": "Berendsen"},
    "coulombtype = Reaction-Field-zero": {"coulombtype": "Reaction-Field", "epsilon-rf": "0"},
    "vdwtype = Shift": {"vdw-modifier": "Force-switch"},
    "vdwtype = Switch": {"vdw-modifier": "Potential-switch"},
}


def runs() -> dict[str, tuple[str, dict[str, str]]]:
    """Every run of the cases, with its option and without, by name."""
    found = {}
    for one in CASES:
        for options in (one.without, one.options):
            found[run_name(one.job, options)] = (one.job, options)
    return found


def lacking(option: str, default: str, values: tuple[str, ...]) -> list[str]:
    """What nothing shows of an honoured option: "" for itself, or values of it.

    Of an option whose other values are all refused nothing is to be shown.
    """
    own = [name for name in OWN if name.split(" = ")[0] == option]
    shown = {one.value for one in CASES if one.option == option}
    if not values or option in own:
        return [] if shown or own else [""]
    shown |= {name.split(" = ")[1] for name in own}
    if values == (default,):
        return []
    left = [value for value in values if value not in shown]
    return [value for value in left if value != default or not shown]  # others show the default


def evidence(option: str) -> str:
    """What shows that an honoured option does what it does in GROMACS, in words."""
    cases = [one for one in CASES if one.option == option]
    steps = [one for one in cases if not one.change]
    parts = []
    if steps:
        count = len({one.value for one in steps})
        parts.append(f"steps of GROMACS ({count} value{'s' if count > 1 else ''})")
    changes = [one for one in cases if one.change]
    if changes:
        most = max(one.change for one in changes)
        parts.append(f"change of GROMACS to {100 * most:g} %")
    tests = {test for name, test in OWN.items() if name.split(" = ")[0] == option}
    parts += [f"`{test.split('::')[1]}`" for test in sorted(tests)]
    return ", ".join(parts)
