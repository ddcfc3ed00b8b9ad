# SPDX-License-Identifier: Apache-2.0
"""What simulations of molecules offer, on the host and on GPUs, read from the sources.

A row rests on evidence that can be looked up, so that the table promises nothing that is not there:

  option KEY or KEY=VALUE    honoured by the reader of .mdp files
  term KIND                  a kind of term that topologies hold
  python NAME                an attribute of the package, or of aureole_bench
  mdrun NAME                 an option of `aureole mdrun` that has an effect
  engine NAME                a method of the compiled engine
  command NAME               a command of `aureole`

The host says yes where all evidence of a row is there, next where some is, else no. A GPU says yes
where the functors of a row are compiled for it and the device's own step loop uses them, next
where they are compiled but molecules cannot run there yet, no where they are not; a dash stands
where nothing is computed on a device.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass

import feature_table
from aureole import _core
from aureole.cli.main import parser
from aureole.cli.mdrun import options as mdrun_options
from aureole.gromacs.mdp.options.table import options
from aureole.system.topology import TERMS

#: What the step loop of a device must know before any molecule runs on it.
NEEDED = ("FlatNonbondedForce",)


@dataclass(frozen=True)
class Row:
    """A feature: evidence for the host, functors for GPUs (None where no device is used)."""

    name: str
    host: tuple[str, ...]
    gpu: tuple[str, ...] | None = None


def _terms(*kinds: str) -> tuple[str, ...]:
    return tuple(f"term {kind}" for kind in kinds)


BONDED = ("AddTermForces", "LocaliseTerms")
MDRUN = (
    *("deffnm", "cpi", "cpt", "maxh", "nt", "v", "o", "x", "e", "g", "co"),
    *("rerun", "nsteps", "append"),
)
GROUPS: dict[str, list[Row]] = {
    "Input": [
        Row("`.gro`, `.pdb`",
            ("python formats.gro.read_gro", "python formats.pdb.read_pdb")),
        Row("`.top`, `.itp`: preprocessor, all directives of the common force fields",
            ("python gromacs.top.preprocessor.Source", "python gromacs.top.read.read_top")),
        Row("`.ndx`, default groups", ("python gromacs.ndx.read_ndx",
            "python gromacs.groups.default_groups")),
        Row("`.mdp`: every documented option honoured, without effect, or refused by name",
            ("python gromacs.mdp.read.read_mdp",)),
        Row("`.tpr`: refused with an explanation",
            ("python formats.read_coordinates.read_coordinates",)),
        Row("`aureole check`: numbered notes, warnings and errors", ("command check",)),
        Row("`au.from_gromacs` in Python", ("python from_gromacs",)),
        Row("`aureole mdrun -deffnm -cpi -cpt -maxh -nt -v -o -x -e -g -rerun -nsteps -append`",
            tuple(f"mdrun {name}" for name in MDRUN)),
        Row("vectorised expansion of molecules", ("python system.topology.Topology.expand_terms",)),
        Row("AMBER and CHARMM formats through OpenMM and ParmEd",
            ("python system_from_openmm", "python system_from_parmed")),
        Row("water, ions and mixtures built without input files", ("python build.solution",)),
    ],
    "Forces": [
        Row("Lennard-Jones with combination rules 1 to 3, exclusions",
            ("engine set_nonbonded", "engine set_exclusions"), ("FlatNonbondedForce",)),
        Row("modifiers: potential-shift, potential-switch, force-switch",
            ("option vdw-modifier=potential-shift", "option vdw-modifier=potential-switch",
             "option vdw-modifier=force-switch"), ("FlatNonbondedForce",)),
        Row("reaction field, with excluded pairs and self terms or not, plain and shifted Coulomb",
            ("option coulombtype=reaction-field", "option coulombtype=cut-off"),
            ("FlatNonbondedForce",)),
        Row("smooth particle-mesh Ewald, orders 4 to 8, triclinic boxes, full virial",
            ("option coulombtype=pme", "engine set_mesh"), ("SpreadLanes", "GatherLanes")),
        Row("long-range dispersion correction of energy and pressure",
            ("option dispcorr", "engine set_dispersion"), ("FlatNonbondedForce",)),
        Row("bonds: harmonic, G96, Morse, FENE, cubic, restraints",
            _terms("harmonic_bond", "g96_bond", "morse_bond", "fene_bond", "cubic_bond",
                   "harmonic_restraint", "range_restraint"), BONDED),
        Row("angles: harmonic, G96, Urey-Bradley, quartic, restricted, cross terms with bonds",
            _terms("harmonic_angle", "g96_angle", "urey_bradley", "quartic_angle",
                   "restricted_angle", "cross_bonds", "cross_bond_angle"), BONDED),
        Row("dihedrals: periodic (multiple), Ryckaert-Bellemans, restricted, bending-torsion",
            _terms("periodic_dihedral", "ryckaert_bellemans", "restricted_dihedral",
                   "bending_torsion"), BONDED),
        Row("improper dihedrals, harmonic and periodic",
            _terms("harmonic_improper", "unwrapped_dihedral", "periodic_dihedral"), BONDED),
        Row("CMAP", _terms("cmap"), BONDED),
        Row("1-4 pairs with fudge factors, generated pairs", _terms("pair"), BONDED),
        Row("dihedral restraints, angle restraints between pairs and with the z axis",
            _terms("dihedral_restraint", "angle_restraint", "angle_restraint_z"), BONDED),
        Row("position restraints, harmonic and flat-bottomed, `refcoord-scaling`",
            (*_terms("position_restraint", "flat_bottom_restraint"),
             "option refcoord-scaling=com"), BONDED),
    ],
    "Constraints and virtual sites": [
        Row("SETTLE", (*_terms("settle"), "engine set_constraints"), ("SettleLane",)),
        Row("LINCS for bonds to hydrogen or all bonds",
            (*_terms("constraint"), "option constraints=h-bonds", "option constraints=all-bonds",
             "engine set_constraints"), ("GroupLane", "RegionTeam")),
        Row("virtual sites of 1, 2, 3, 4 and n particles",
            (*(f"term {kind}" for kind in TERMS if kind.startswith("vsite")), "engine set_sites"),
            ("ConstructSites", "SpreadSites")),
        Row("update groups", ("engine set_constraints",), ("LocaliseGroups",)),
        Row("freeze groups", ("option freezegrps", "engine set_free_axes"), ("KickDrift",)),
    ],
    "Dynamics": [
        Row("leap-frog", ("option integrator=md", "engine set_motion"), ("KickDrift",)),
        Row("velocity Verlet", ("option integrator=md-vv", "engine set_motion"),
            ("KickDrift",)),
        Row("stochastic dynamics (sd)", ("option integrator=sd", "engine set_motion"),
            ("KickDrift", "FindNoise", "Noise")),
        Row("steepest descent", ("option integrator=steep", "engine descend"),
            ("Descend", "DecideDescent")),
        Row("FIRE minimiser", ("python FIRE",), ("SumFire", "MixFire")),
        Row("thermostats v-rescale, Nosé-Hoover, Berendsen, with groups",
            ("option tcoupl=v-rescale", "option tcoupl=nose-hoover", "option tcoupl=berendsen",
             "engine set_coupling"), ("FindFactors", "ScaleGroups", "SumGroup")),
        Row("barostats C-rescale, Parrinello-Rahman, Berendsen; isotropic to anisotropic",
            ("option pcoupl=c-rescale", "option pcoupl=parrinello-rahman",
             "option pcoupl=berendsen", "engine set_coupling"), ("StrainPositions",)),
        Row("simulated annealing", ("option annealing", "engine set_coupling"), ("ScaleGroups",)),
        Row("removal of centre-of-mass motion", ("option comm-mode", "option nstcomm"),
            ("SumMotion", "FindDrift", "RemoveDrift", "FindCommonMotion", "RemoveRotation")),
        Row("pair lists from an energy-drift tolerance, lifetimes tuned in the run",
            ("option verlet-buffer-tolerance", "engine set_list"), ("FlatSearch",)),
    ],
    "Output and analysis": [
        Row("XTC, TRR, DCD, GRO, PDB", ("python Frames", "python write_frame")),
        Row("TRR with separate intervals for positions, velocities and forces",
            ("python formats.TRR", "python Frames.intervals", "option nstxout", "option nstvout",
             "option nstfout")),
        Row("GSD with charges and bonds", ("python Trajectory", "python formats.gsd_molecules")),
        Row("energies as CSV, Parquet and EDR", ("python Energies",)),
        Row("log with averages and timings of the parts of a step, as text and JSON",
            ("python RunLog",)),
        Row("log of a rerun, as text and JSON",
            ("mdrun rerun", "python jobs.rerun_log.RerunLog")),
        Row("output in a separate thread", ("python observers.Writer",)),
        Row("checkpoints at intervals of wall time, exact restart, append and truncate",
            ("python TimedCheckpoint", "python Simulation.from_checkpoint")),
        Row("time limit, Ctrl-C and SIGTERM with a checkpoint",
            ("python TimeLimit", "mdrun maxh")),
        Row("`aureole report`: an HTML page", ("command report",)),
        Row("several processes (ranks), started by Aureole or by mpirun",
            ("mdrun ntmpi", "mdrun dd", "python Device.ranks", "python ranks.size")),
        Row("`aureole bench grappa` and `protein`, with threads or ranks",
            ("command bench", "python aureole_bench.molecules.measure.measure")),
        Row("`aureole bench scaling --ranks`: parallel efficiency of ranks and threads, and its "
            "losses", ("python aureole_bench.ranks.scaling.measure",)),
        Row("load imbalance, collectives per step, early list updates and repeated steps in log "
            "and report", ("python observers.run_log_text._ranks",)),
    ],
}  # fmt: skip


def holds(evidence: str) -> bool:
    """Whether what a word of evidence names is there."""
    kind, name = evidence.split(" ", 1)
    if kind == "term":
        return name in TERMS
    if kind == "engine":
        return hasattr(_core.Simulation, name)
    if kind == "mdrun":
        option = mdrun_options.OPTIONS.get(name)
        return option is not None and option.effect == "yes"
    if kind == "command":
        return f"{name} " in parser().format_help()
    if kind == "option":
        return _honoured(*name.partition("=")[::2])
    assert kind == "python", evidence
    return _attribute(name)


def _honoured(key: str, value: str) -> bool:
    option = {name.lower(): option for name, option in options().items()}.get(key)
    if option is None or option.support != "honoured":
        return False
    values = {one.name.lower(): one.support for one in option.values}
    return not value or values.get(value) == "honoured"


def _attribute(name: str) -> bool:
    """Whether `aureole.NAME` is there, or that of the benchmarks, modules among it included."""
    path = "aureole_bench" if name.startswith("aureole_bench.") else "aureole"
    found: object = importlib.import_module(path)
    for word in name.removeprefix(f"{path}.").split("."):
        path = f"{path}.{word}"
        if not hasattr(found, word):
            try:
                found = importlib.import_module(path)
            except ModuleNotFoundError:
                return False
        else:
            found = getattr(found, word)
    return True


def unknown_functors() -> list[str]:
    """Functors that the table names and no header defines; those still to be written aside."""
    known = feature_table.host_functors()
    named = {name for rows in GROUPS.values() for row in rows for name in row.gpu or ()}
    return sorted(named - known - set(NEEDED))


def rows() -> list[tuple[str, str, str, str, str]]:
    """(group, feature, host, cuda, hip)"""
    instances = feature_table.gpu_instances()
    ready = all(feature_table.gpu_has(name, instances) for name in NEEDED)
    table = []
    for group, features in GROUPS.items():
        for row in features:
            there = [holds(evidence) for evidence in row.host]
            host = "yes" if all(there) else "next" if any(there) else "no"
            word = "–"
            if row.gpu is not None:
                compiled = all(feature_table.gpu_has(name, instances) for name in row.gpu)
                word = ("yes" if ready else "next") if compiled else "no"
            table.append((group, row.name, host, *feature_table.on_vendors(word)))
    return table
