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
        same: GROMACS' numbers do not change; why that is so
        bare: options of the run without it, where they are not `more`
    """

    option: str
    value: str
    job: str
    more: dict[str, str] = field(default_factory=dict)
    tolerances: dict[str, float] = field(default_factory=dict)
    because: str = ""
    same: str = ""
    bare: dict[str, str] | None = None

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
SOLVER = "solutions within shake-tol"
MESH = {"coulombtype": "PME", "fourierspacing": "0.1"}
#: Constraints so exact that solvers cannot be told apart.
EXACT = {"lincs-order": "12", "lincs-iter": "8"}
DRIFT = {"tolerances": {"kinetic": 1e-5, "pressure": 1e-4}, "because": BEFORE}
RIGID = {"constraints": "all-bonds", **EXACT}
SWITCH = {"vdw-modifier": "Force-switch", "rvdw-switch": "0.6"}
LINEAR = {"comm-mode": "Linear", "nstcomm": "1"}
FIELD = {"electric-field-x": "0.8 300 0.003 0.004"}
WARM = {"tc-grps": "System", "tau-t": "0.05", "ref-t": "150", "nsttcouple": "1"}
#: Without noise, as its target is at absolute zero.
COLD = {"tc-grps": "System", "tau-t": "0.05", "ref-t": "0", "nsttcouple": "1"}
BERENDSEN = {"tcoupl": "Berendsen", **WARM}
PRESS = {
    "pcoupl": "Berendsen",
    "tau-p": "0.2",
    "compressibility": "4.5e-5",
    "ref-p": "900",
    "nstpcouple": "1",
}
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
    case("tinit", "0.7", "chains", FIELD),
    case("dt", "0.0005", "chains"),
    case("nsteps", "7", "chains"),
    case("init-step", "1000", "chains", FIELD),
    case("comm-mode", "Linear", "atoms", {"nstcomm": "1"}),
    case("comm-mode", "Linear", "chains", {"nstcomm": "1"}),
    case("comm-mode", "Angular", "chains", {"nstcomm": "1"}, **DRIFT),
    case("nstcomm", "0", "chains", LINEAR),
    case("comm-grps", "Left Right", "atoms", LINEAR, **DRIFT),
    case("comm-grps", "Left Middle Right", "chains", LINEAR, **DRIFT),
    case("comm-grps", "Left Middle Right", "chains", LINEAR, {"comm-mode": "Angular"}, **DRIFT),
    case("comm-grps", "Left Right", "water", LINEAR, **DRIFT),
]

LISTS = [
    case("cutoff-scheme", "Verlet", "atoms", same="there is no other"),
    case("nstlist", "5", "atoms", same="no pair comes near within so few steps"),
    case("rlist", "0.9", "atoms", same="no pair comes near within so few steps"),
    case(
        "verlet-buffer-tolerance",
        "0.005",
        "atoms",
        same="as rlist, which it sets",
        tolerances={"all": 2e-3},
        because=PAIRS,
    ),
]

FORCES = [
    case("coulombtype", "Cut-off", "chains"),
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
    case("vdw-modifier", "None", "chains"),
    case("vdw-modifier", "Force-switch", "chains", {"rvdw-switch": "0.6"}),
    case("vdw-modifier", "Potential-switch", "chains", {"rvdw-switch": "0.6"}),
    case("rvdw-switch", "0.7", "chains", SWITCH),
    case("rvdw", "0.7", "chains", {"rcoulomb": "0.7"}, bare={}),
    case("rvdw", "0.7", "chains", MESH),
    case("DispCorr", "Ener", "atoms"),
    case("DispCorr", "EnerPres", "atoms"),
    case("fourierspacing", "0.15", "chains", MESH),
    case("fourier-nx", "28", "chains", MESH),
    case("fourier-ny", "28", "chains", MESH),
    case("fourier-nz", "28", "chains", MESH),
    case("pme-order", "5", "chains", MESH),
    case("pme-order", "6", "chains", MESH),
    case("pme-order", "8", "chains", MESH),
    case("ewald-rtol", "1e-7", "chains", MESH),
    case("lj-pme-comb-rule", "Geometric", "chains", MESH, same="it is the default"),
    case("ewald-geometry", "3d", "chains", MESH, same="it is the default"),
    case("fmm-backend", "inactive", "chains", same="it is the default"),
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
    case("continuation", "no", "water", same="the start meets the constraints"),
    case("continuation", "no", "sites", MESH, tolerances={"energy": 1e-7}, because=CANCELS),
    case("continuation", "yes", "sites", same="sites are placed at each step"),
]

TEMPERATURE = [
    case("tcoupl", "V-rescale", "chains", COLD),
    case("tcoupl", "Nose-Hoover", "chains", WARM),
    case("tcoupl", "Nose-Hoover", "chains", WARM, {"integrator": "md-vv"}),
    case("tcoupl", "Berendsen", "chains", WARM),
    case("tcoupl", "Berendsen", "water", WARM),
    case("nsttcouple", "5", "chains", BERENDSEN),
    case("nh-chain-length", "3", "chains", WARM, {"tcoupl": "Nose-Hoover", "integrator": "md-vv"}),
    case("tau-t", "0.02", "chains", BERENDSEN),
    case("ref-t", "400", "chains", BERENDSEN),
    case(
        "tc-grps",
        "Left Middle Right",
        "chains",
        BERENDSEN,
        {"tau-t": "0.05 0.1 -1", "ref-t": "150 400 300"},
        bare=BERENDSEN,
    ),
    case(
        "annealing",
        "single",
        "chains",
        BERENDSEN,
        {"annealing-npoints": "2", "annealing-time": "0 0.01", "annealing-temp": "100 900"},
    ),
    case(
        "annealing",
        "periodic",
        "chains",
        BERENDSEN,
        {
            "annealing-npoints": "3",
            "annealing-time": "0 0.002 0.004",
            "annealing-temp": "100 900 100",
        },
    ),
]

PRESSURE = [
    case("pcoupl", "C-rescale", "chains", PRESS, BERENDSEN, {"tcoupl": "V-rescale", **COLD}),
    case("pcoupl", "Parrinello-Rahman", "chains", PRESS, BERENDSEN),
    case("pcoupl", "Berendsen", "chains", PRESS, BERENDSEN),
    case("pcoupl", "Berendsen", "water", PRESS, BERENDSEN),
    case(
        "pcoupltype",
        "semiisotropic",
        "chains",
        PRESS,
        BERENDSEN,
        {"compressibility": "4.5e-5 3e-5", "ref-p": "900 300"},
    ),
    case(
        "pcoupltype",
        "anisotropic",
        "chains",
        PRESS,
        BERENDSEN,
        {"compressibility": "4.5e-5 3e-5 2e-5 0 0 0", "ref-p": "900 300 500 0 0 0"},
    ),
    case("nstpcouple", "5", "chains", PRESS, BERENDSEN),
    case("tau-p", "0.4", "chains", PRESS, BERENDSEN),
    case("compressibility", "9e-5", "chains", PRESS, BERENDSEN),
    case("ref-p", "200", "chains", PRESS, BERENDSEN),
    case("refcoord-scaling", "All", "chains", PRESS, BERENDSEN, POSRES),
    case("refcoord-scaling", "COM", "chains", PRESS, BERENDSEN, POSRES),
]

FROZEN = [
    case("freezegrps", "Left", "chains", {"freezedim": "Y Y Y"}, bare={}),
    case("freezedim", "Y N Y", "atoms", {"freezegrps": "Left"}, bare={}),
    case("freezegrps", "Left", "water", {"freezedim": "Y Y Y"}, bare={}),
]

CASES = [*RUN, *LISTS, *FORCES, *CONSTRAINTS]

#: Options, or values of them, that tests of their own show; what they have to do with dynamics
#: cannot be compared number by number, or it is files that they are about.
OWN = {
    "include": "test_top_preprocess.py::test_files_are_looked_for_in_order",
    "integrator = sd": "test_effects_alone.py::test_friction_and_noise_of_sd",
    "ld-seed": "test_effects_alone.py::test_noise_follows_ld_seed",
    "mass-repartition-factor": "test_repartition.py::test_the_option_is_honoured",
    "nstxout": "test_effects_alone.py::test_frames_as_gromacs",
    "nstvout": "test_effects_alone.py::test_frames_as_gromacs",
    "nstfout": "test_effects_alone.py::test_frames_as_gromacs",
    "nstxout-compressed": "test_effects_alone.py::test_compressed_frames_as_gromacs",
    "compressed-x-precision": "test_effects_alone.py::test_compressed_frames_as_gromacs",
    "compressed-x-grps": "test_effects_alone.py::test_compressed_frames_as_gromacs",
    "nstenergy": "test_effects_alone.py::test_rows_of_energies_and_the_log",
    "nstcalcenergy": "test_effects_alone.py::test_rows_of_energies_and_the_log",
    "nstlog": "test_effects_alone.py::test_rows_of_energies_and_the_log",
    "pbc = xy": "test_open.py::test_as_in_a_box_with_room",
    "pbc = no": "test_open.py::test_without_cut_off_as_by_hand",
    "periodic-molecules": "test_effects_alone.py::test_molecules_bound_to_their_images",
    "lincs-order": "test_effects_alone.py::test_order_and_iterations_of_lincs",
    "lincs-iter": "test_effects_alone.py::test_order_and_iterations_of_lincs",
    "lincs-warnangle": "test_from_gromacs.py::test_bonds_that_turn_far_are_reported",
    "gen-vel": "test_effects_alone.py::test_drawn_velocities",
    "gen-temp": "test_effects_alone.py::test_drawn_velocities",
    "gen-seed": "test_effects_alone.py::test_drawn_velocities",
}
