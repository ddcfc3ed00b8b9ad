# SPDX-License-Identifier: Apache-2.0
"""An input file that has a bit of everything."""

TOML = """\
steps = 100
seed = 1
thermalize = 1.2
[system]
kind = "lattice"
lattice = "fcc"
n = 108
density = 0.8
composition = { A = 0.5, B = 0.5 }
[[forces]]
kind = "LennardJones"
epsilon = { "A,A" = 1.0, "A,B" = 1.5, "B,B" = 0.5 }
sigma = 1.0
r_cut = 2.0
mode = "shift"
[integrator]
kind = "Langevin"
dt = 0.005
kT = 1.0
filter = { kind = "Type", types = ["A"] }
[[observers]]
kind = "Log"
path = "a.csv"
every = 10
[neighbors]
mode = "exact"
[device]
name = "host"
threads = 1
"""
