# SPDX-License-Identifier: Apache-2.0
"""Run parameters as published studies use them with common force fields, as .mdp text."""

from __future__ import annotations

AMBER = """\
; AMBER: PME and Lennard-Jones to 1.0 nm, rigid bonds of hydrogens
integrator              = md
dt                      = 0.002
nsteps                  = 500000
nstxout-compressed      = 5000
nstenergy               = 500
nstlog                  = 500
cutoff-scheme           = Verlet
nstlist                 = 20
coulombtype             = PME
rcoulomb                = 1.0
fourierspacing          = 0.125
vdwtype                 = Cut-off
rvdw                    = 1.0
DispCorr                = EnerPres
tcoupl                  = V-rescale
tc-grps                 = System
tau-t                   = 0.1
ref-t                   = 300
pcoupl                  = C-rescale
tau-p                   = 2.0
ref-p                   = 1.0
compressibility         = 4.5e-5
constraints             = h-bonds
"""

AMBER_PR = (
    AMBER.replace("C-rescale", "Parrinello-Rahman")
    .replace("h-bonds", "h-bonds\ncontinuation = yes\ngen_vel = no")
    .replace("pcoupl  ", "Pcoupl  ")
)

CHARMM = """\
; CHARMM36m: forces switched from 1.0 to 1.2 nm
integrator=md
dt=0.002
nsteps=250000
nstvout=50000
nstfout=50000
nstxtcout=5000      ; an old name
nstcalcenergy=100
nstenergy=1000
nstlog=1000
cutoff_scheme=Verlet
nstlist=20
rlist=1.2
vdwtype=Cut-off
vdw_modifier=Force-switch
rvdw_switch=1.0
rvdw=1.2
coulombtype=PME
rcoulomb=1.2
tcoupl=Nose-Hoover
tc_grps=Other Water
tau_t=1.0 1.0
ref_t=310.15 310.15
pcoupl=Parrinello-Rahman
pcoupltype=semiisotropic
tau_p=5.0
compressibility=4.5e-5 4.5e-5
ref_p=1.0 1.0
constraints=h-bonds
constraint_algorithm=LINCS
continuation=yes
nstcomm=100
comm_mode=linear
"""

OPLS = """\
title                   = an obsolete line
integrator              = md
dt                      = 0.001
nsteps                  = 10000
coulombtype             = pme
pme-order               = 4
fourierspacing          = 0.16
rcoulomb                = 1
rvdw                    = 1
dispcorr                = enerpres
tcoupl                  = v-rescale
tc-grps                 = other water
tau-t                   = 0.1 0.1
ref-t                   = 300 300
gen-vel                 = yes
gen-temp                = 300
gen-seed                = 42
constraints             = all-bonds
constraint-algorithm    = lincs
lincs-iter              = 1
lincs-order             = 4
"""

GROMOS = """\
integrator              = md
dt                      = 0.002
nsteps                  = 50000
ns_type                 = grid
nstlist                 = 10
coulombtype             = Reaction-Field
rcoulomb                = 1.4
epsilon-rf              = 61
rvdw                    = 1.4
vdwtype                 = cut-off
tcoupl                  = berendsen
tc-grps                 = System
tau-t                   = 0.1
ref-t                   = 298
pcoupl                  = berendsen
tau-p                   = 2
compressibility         = 4.575e-4
ref-p                   = 1
constraints             = all-bonds
"""

MARTINI = """\
integrator               = md
dt                       = 0.02
nsteps                   = 500000
nstxout-compressed       = 1000
compressed-x-precision   = 100
cutoff-scheme            = Verlet
nstlist                  = 20
pbc                      = xyz
verlet-buffer-tolerance  = 0.005
coulombtype              = reaction-field
rcoulomb                 = 1.1
epsilon_r                = 15
epsilon_rf               = 0
vdw_type                 = cutoff
vdw-modifier             = Potential-shift-verlet
rvdw                     = 1.1
tcoupl                   = v-rescale
tc-grps                  = System
tau_t                    = 1.0
ref_t                    = 300
Pcoupl                   = parrinello-rahman
Pcoupltype               = isotropic
tau_p                    = 12.0
compressibility          = 3e-4
ref_p                    = 1.0
constraints              = none
"""

STMV = """\
integrator              = md
nsteps                  = 10000
dt                      = 0.002
coulombtype             = PME
rcoulomb                = 1.2
vdwtype                 = cut-off
vdw-modifier            = force-switch
rvdw-switch             = 1.0
rvdw                    = 1.2
fourierspacing          = 0.15
nstlist                 = 100
tcoupl                  = V-rescale
tc-grps                 = System
tau-t                   = 0.5
ref-t                   = 298
constraints             = h-bonds
"""

GRAPPA = """\
integrator              = md
nsteps                  = 10000
dt                      = 0.002
nstlist                 = 200
nstcalcenergy           = 100
coulombtype             = PME
rcoulomb                = 1.0
rvdw                    = 1.0
tcoupl                  = v-rescale
tc-grps                 = System
tau-t                   = 0.5
ref-t                   = 300
constraints             = h-bonds
"""

GRAPPA_RF = GRAPPA.replace("= PME", "= Reaction-Field\nepsilon-rf = 78")

PRESETS = {
    "amber": AMBER,
    "amber-pr": AMBER_PR,
    "charmm": CHARMM,
    "opls": OPLS,
    "gromos": GROMOS,
    "martini": MARTINI,
    "stmv": STMV,
    "grappa": GRAPPA,
    "grappa-rf": GRAPPA_RF,
    "empty": "",
    "steep": "integrator = steep\nnsteps = 500\nemtol = 100\ncoulombtype = PME\n",
    "sd": "integrator = sd\ntc-grps = System\ntau-t = 2\nref-t = 300\nnsteps = 10\n",
    "md-vv": GRAPPA.replace("= md", "= md-vv").replace("nstcalcenergy           = 100", ""),
    "vdw-switch": "vdwtype = Switch\nrvdw-switch = 0.8\n",
    "vdw-shift": "vdwtype = shift\nrvdw_switch = 0.8\n",
    "rf-exchange": "coulombtype = Reaction-Field\nepsilon-r = 62\nepsilon-rf = 1\n",
    "nstenergy": "nstenergy = 150\nnstcalcenergy = 100\nnsteps = 1000\n",
    "nstcalcenergy": "nstenergy = 50\nnstcalcenergy = 100\nnsteps = 1000\n",
    "nstcomm": "nstcomm = 0\nnsteps = 1000\n",
    "short-tau": GRAPPA.replace("tau-t                   = 0.5", "tau-t = 0.05"),
    "short-tau-nh": CHARMM.replace("tau_t=1.0 1.0", "tau_t=0.2 0.3"),
    "short-tau-p": AMBER.replace("tau-p                   = 2.0", "tau-p = 0.1"),
    "anisotropic": AMBER.replace("ref-p                   = 1.0", "ref-p = 1 2 3 0 0 0")
    .replace("compressibility         = 4.5e-5", "compressibility = 4e-5 4e-5 4e-5 0 0 0")
    .replace("C-rescale", "Parrinello-Rahman\npcoupltype = anisotropic"),
    "annealing": GRAPPA
    + "annealing = single\nannealing-npoints = 2\nannealing-time = 0 10\nannealing-temp = 10 300\n",
    "freeze": GRAPPA.replace("h-bonds", "none")
    + "freezegrps = Other\nfreezedim = Y Y N\ncomm-mode = None\n",
    "field": GRAPPA + "electric-field-z = 0.1 0 0 0\n",
    "nve": "nsteps = 10\nconstraints = h-bonds\ncoulombtype = PME\n",
    "hmr": "mass-repartition-factor = 3\ndt = 0.004\nconstraints = h-bonds\nnsteps = 10\n",
    "rlist": "verlet-buffer-tolerance = -1\nrlist = 1.1\nnsteps = 10\n",
    "old-thermostat": GRAPPA.replace("v-rescale", "yes"),
}

#: What GROMACS refuses too; each with words of our own error or the number of the check.
WRONG = {
    "value": ("dt = fast\n", "it must be a number"),
    "whole": ("nsteps = 1e6\n", "Write 1000000"),
    "enum": ("coulombtype = PMF\n", "unknown value"),
    "twice": ("dt = 0.001\ndt = 0.002\n", "is set twice"),
    "twice-spelt": ("nst-list = 10\nnstlist = 20\n", "is set twice"),
    "equals": ("dt 0.001\n", "has no ="),
    "unknown": ("nstxoutt = 5\n", "Did you mean 'nstxout'?"),
    "group-scheme": ("cutoff-scheme = group\n", "not supported"),
    "tc-counts": (GRAPPA.replace("= 300", "= 300 310"), "every group needs one value of each"),
    "pcoupl-counts": (AMBER.replace("ref-p      ", ";ref-p    "), "needs 1"),
    "freeze-counts": ("freezegrps = System\nfreezedim = Y Y\n", "every group needs three"),
    "radii": ("rcoulomb = 1.2\nrvdw = 1.0\n", "A204"),
    "radii-rf": ("coulombtype = Reaction-Field\nrcoulomb = 1.2\nepsilon-rf = 78\n", "A204"),
    "tolerance": ("verlet-buffer-tolerance = 0\n", "A205"),
    "rlist-short": ("verlet-buffer-tolerance = -1\nrlist = 0.9\n", "A207"),
    "nstlist": ("nstlist = 0\n", "A202"),
    "negative": ("rcoulomb = -1\nrvdw = -1\n", "A201"),
    "switch": ("vdw-modifier = Force-switch\nrvdw-switch = 1.0\n", "A307"),
    "shift-switch": ("vdwtype = Shift\nvdw-modifier = Force-switch\n", "modified twice"),
    "coulomb-switch": ("coulomb-modifier = Force-switch\n", "not supported"),
    "big": ("rcoulomb = 2.6\nrvdw = 2.6\n", "A211"),
    "order": ("coulombtype = PME\npme-order = 2\n", "A306"),
    "tau-p": (AMBER.replace("tau-p                   = 2.0", "tau-p = 0"), "A504"),
    "pbc-pme": ("pbc = no\ncoulombtype = PME\nverlet-buffer-tolerance = -1\n", "A212"),
    "pbc-tolerance": ("pbc = no\n", "A210"),
    "continuation": ("gen-vel = yes\ncontinuation = yes\n", "A409"),
    "vv-nh": (
        "integrator = md-vv\ntcoupl = nose-hoover\ntc-grps = System\ntau-t = 1\nref-t = 300\n"
        "pcoupl = Berendsen\ntau-p = 2\ncompressibility = 1e-5\nref-p = 1\n",
        "A508",
    ),
    "epsilon": ("epsilon-r = -1\n", "A303"),
    "rf": ("coulombtype = Reaction-Field\nepsilon-r = 15\nepsilon-rf = 2\n", "A303"),
    "group": (GRAPPA.replace("System", "Systen"), "A705"),
    "half-thermostat": (GRAPPA.replace("System", "Other"), "A706"),
    "two-thermostats": (
        GRAPPA.replace("System", "System Other")
        .replace("= 0.5", "= 0.5 0.5")
        .replace("= 300", "= 300 300"),
        "A706",
    ),
    "annealing-counts": (
        GRAPPA + "annealing = single\nannealing-npoints = 2\nannealing-time = 0\n",
        "the lists must match",
    ),
    "annealing-order": (
        GRAPPA + "annealing = single\nannealing-npoints = 2\nannealing-time = 0 -5\n"
        "annealing-temp = 10 300\n",
        "A411",
    ),
    "hmr": ("mass-repartition-factor = 0.5\n", "A107"),
}

_WARM = (
    "nsteps = 100\ntcoupl = v-rescale\ntc-grps = System\ntau-t = 1\nref-t = 300\n"
    "constraints = h-bonds\ncoulombtype = PME\n"
)
_PRESS = "tau-p = 5\ncompressibility = 4.5e-5\nref-p = 1\n"
_SIX = "pcoupltype = anisotropic\ntau-p = 5\nref-p = {}\ncompressibility = {}\n"

#: What GROMACS takes and has something to say about.
TALK = {
    "frozen": _WARM + "freezegrps = Other\nfreezedim = Y Y Y\ncomm-mode = None\n",
    "frozen-com": _WARM + "freezegrps = Other\nfreezedim = Y Y Y\n",
    "frozen-part": _WARM + "freezegrps = Other\nfreezedim = Y Y N\n",
    "posres": _WARM + "define = -DPOSRES\n",
    "posres-p": _WARM + "define = -DPOSRES\nrefcoord-scaling = com\npcoupl = C-rescale\n" + _PRESS,
    "posres-pr": _WARM
    + "define = -DPOSRES\nrefcoord-scaling = com\npcoupl = parrinello-rahman\n"
    + _PRESS,
    "some-com": _WARM + "comm-grps = Water\n",
    "some-thermostats": _WARM.replace("System", "Other Water")
    .replace("= 1\n", "= 1 -1\n")
    .replace("= 300", "= 300 300"),
    "two-temperatures": _WARM.replace("System", "Other Water")
    .replace("= 1\n", "= 1 1\n")
    .replace("= 300", "= 300 310")
    + "pcoupl = C-rescale\n"
    + _PRESS,
    "two-com": _WARM + "comm-grps = Other Water\n",
    "angular": _WARM + "comm-mode = angular\n",
    "nstcomm": _WARM + "nstcomm = -10\n",
    "pr-start": _WARM + "gen-vel = yes\npcoupl = parrinello-rahman\n" + _PRESS,
    "nh-pr": _WARM.replace("v-rescale", "nose-hoover").replace("tau-t = 1", "tau-t = 5")
    + "pcoupl = parrinello-rahman\n"
    + _PRESS,
    "nh-berendsen": _WARM.replace("v-rescale", "nose-hoover") + "pcoupl = berendsen\n" + _PRESS,
    "slow-thermostat": _WARM.replace("tau-t = 1", "tau-t = 10"),
    "bonds-2": "nsteps = 10\ndt = 0.002\n",
    "bonds-3": "nsteps = 10\ndt = 0.003\n",
    "sd-again": _WARM + "integrator = sd\ncontinuation = yes\nld-seed = 5\n",
    "warn-angle": _WARM + "lincs-warnangle = 100\n",
    "shear": _WARM
    + "pcoupl = parrinello-rahman\n"
    + _SIX.format("1 1 1 1 1 1", "1e-5 1e-5 1e-5 1e-5 1e-5 1e-5"),
    "c-rescale-6": _WARM
    + "pcoupl = C-rescale\n"
    + _SIX.format("1 1 1 0 0 0", "4e-5 " * 3 + "0 0 0"),
    "steep-thermostats": "integrator = steep\npcoupl = berendsen\ntcoupl = yes\ntc-grps = System\n"
    "tau-t = 1\nref-t = 300\nnsteps = 5\n" + _PRESS,
    "no-tau-v": _WARM.replace("tau-t = 1", "tau-t = 0"),
    "calc-energy": _WARM + "nstcalcenergy = -1\nnstenergy = 6\n",
    "calc-energy-0": _WARM + "nstcalcenergy = 0\nnstenergy = 5\n",
    "permittivity": "coulombtype = reaction-field\nepsilon-r = 10\nepsilon-rf = 10\nnsteps = 10\n",
    "rf-zero": "coulombtype = Reaction-Field-zero\nepsilon-rf = 78\nnsteps = 10\n",
    "early-switch": _WARM + "vdw-modifier = force-switch\nrvdw-switch = 0.4\n",
    "unset-switch": _WARM + "vdw-modifier = potential-switch\n",
    "periodic": _WARM
    + "annealing = periodic\nannealing-npoints = 2\nannealing-time = 0 0\n"
    + "annealing-temp = 0 300\n",
    "nstlist": _WARM + "nstlist = 5\n",
    "rlist": _WARM + "rlist = 1.2\n",
    "empty-values": "nsteps =\ncoulombtype = ; later\nE-x =\nfoo =\n",
    "vv": _WARM + "integrator = md-vv\npcoupl = parrinello-rahman\n" + _PRESS,
}
