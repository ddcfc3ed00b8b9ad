# SPDX-License-Identifier: Apache-2.0
"""A slow engine in NumPy with the interface of the compiled one.

For work on the Python side while no compiled module is at hand: AUREOLE_FAKE=1 pytest. Never
installed, and no result of it counts.
"""

from __future__ import annotations

import json
import pickle

import numpy as np


class Error(RuntimeError):
    pass


class InputError(Error, ValueError):
    pass


class FileError(Error, OSError):
    pass


class DeviceError(Error):
    pass


class BlowUpError(Error):
    pass


def build_info():
    return dict(version="0.0.fake", compiler="none", simd=[], cuda=False, build_type="Fake")


def cpu_info():
    return dict(model="fake", isa="baseline", usable_threads=1)


def devices():
    return [dict(name="host", description="fake", available=True, why="")]


def potentials():
    two = [
        dict(name="epsilon", unit="energy", doc="depth", default=None),
        dict(name="sigma", unit="length", doc="size", default=None),
    ]
    return json.dumps(
        [
            dict(name="LennardJones", doc="Lennard-Jones.", parameters=two, natural_cutoff=False),
            dict(name="WCA", doc="WCA.", parameters=two, natural_cutoff=True),
        ]
    )


def natural_cutoff(name, parameters):
    return 2 ** (1 / 6) * parameters[1]


class Simulation:
    def __init__(self, **k):
        self.k = k
        self.x = np.array(k["position"])
        self.v = np.array(k["velocity"])
        self.pairs = []
        self.step = 0
        self.n = len(self.x)
        self.generation = 0
        self.rng = np.random.default_rng(k["seed"])
        self._f = None

    def add_pair(self, *a):
        self.pairs.append(a)
        self._f = None

    def set_list(self, *a):
        pass

    def set_integrator(self, kind, params, group):
        self.kind, self.p = kind, dict(params)

    def _forces(self):
        if self._f is None:
            import aureole as au
            import reference

            self._f = np.zeros_like(self.x)
            self.energy, self.w, self.energies = 0.0, np.zeros((3, 3)), np.zeros(self.n)
            box = au.Box(*self.k["box"], periodic=tuple(self.k["periodic"]))
            names = tuple(self.k["type_names"])
            for _name, _, rc, _, mode, _ in self.pairs:
                spec = au.LennardJones(epsilon=1, sigma=1, r_cut=rc[0, 0], mode=mode, r_switch=1)

                class S:
                    pass

                s = S()
                s.box, s.type, s.type_names = box, self.k["type"], names
                r = reference.forces(s, spec, position=self.x)
                self._f += r.force
                self.energy += r.energy
                self.energies += r.energies
                self.w += r.virial
        return self._f

    def hold(self, running):
        pass

    def give_back(self):
        pass

    def run(self, n):
        dt, m = self.p["dt"], self.k["mass"][:, None]
        for _ in range(n):
            self.v += 0.5 * dt * self._forces() / m
            self.x = self.x + dt * self.v
            self._f = None
            self.v += 0.5 * dt * self._forces() / m
            self.step += 1
            if not np.isfinite(self.x).all():
                raise BlowUpError("blown up")
        return n

    def thermo(self):
        self._forces()
        k = 0.5 * (self.k["mass"][:, None] * self.v**2).sum()
        vol = np.prod(self.k["box"][:3])
        p = (np.einsum("i,ij,ik->jk", self.k["mass"], self.v, self.v) + self.w) / vol
        dof = max(1, 3 * self.n - 3)
        return dict(
            potential=self.energy, kinetic=k, virial=self.w, pressure_tensor=p,
            pressure=np.trace(p) / 3, temperature=2 * k / dof, dof=dof,
            momentum=(self.k["mass"][:, None] * self.v).sum(0),
            per_force=[dict(name=a[0], energy=self.energy, virial=self.w) for a in self.pairs],
        )  # fmt: skip

    def get(self, name, order="tag"):
        return np.array(self.view(name))

    def view(self, name):
        if name == "force":
            return self._forces()
        self._forces()
        table = dict(position=self.x, velocity=self.v, tag=np.arange(self.n, dtype=np.int32))
        table |= dict(energy=self.energies, virial=np.zeros((self.n, 6)))
        return table[name] if name in table else self.k[name]

    def set(self, name, array, order="tag"):
        if name == "position":
            self.x, self._f = np.array(array), None
        elif name == "velocity":
            self.v = np.array(array)
        else:
            self.k[name] = np.array(array)

    def thermalize(self, kT):
        m = self.k["mass"][:, None]
        v = self.rng.normal(size=self.x.shape) / np.sqrt(m)
        v -= (m * v).sum(0) / m.sum()
        k = (m * v**2).sum() / max(1, 3 * self.n - 3)
        self.v = v * np.sqrt(kT / k) if k > 0 else v

    def minimize(self, *a):
        return dict(converged=True, steps=0, max_force=0.0, energy=0.0)

    def write_checkpoint(self, path, extra):
        try:
            with open(path, "wb") as f:
                pickle.dump((self.__dict__, extra), f)
        except OSError as e:
            raise FileError(f"{path}: {e}") from None

    @staticmethod
    def read_checkpoint(path, device="auto", threads=0):
        try:
            with open(path, "rb") as f:
                d, extra = pickle.load(f)
        except Exception as e:
            raise FileError(f"{path}: damaged ({e}).") from None
        sim = Simulation.__new__(Simulation)
        sim.__dict__.update(d)
        return sim, extra

    def describe(self):
        return dict(device="fake", precision="double", isa="none", threads=1)

    def profile(self):
        return {}
