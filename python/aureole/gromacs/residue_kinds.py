# SPDX-License-Identifier: Apache-2.0
"""Residue names of protein, nucleic acids, water and ions in GROMACS' force fields."""

from __future__ import annotations

# Amino acids that AMBER's force fields also have at the ends of chains, with N or C before them.
_WITH_ENDS = """
    ALA GLY SER THR LEU ILE VAL ASN GLN ARG TRP PHE TYR GLU ASP LYS PRO CYS MET HYP ORN DAB
    HID HIE HIP HISD HISE HISH LYSN CYS2 ASPH GLUH
"""
# Other amino acids, other protonation states by the names of each force field, and caps.
_WITHOUT = """
    HIS HIS1 HISA HISB HISP HSD HSE HSP ASN1 ASP1 ASPP ASH GLUP GLH PGLU ARGN LYN LYP LSN LYSH
    CYS1 CYSH CYN CYM CYX PHEH PHEU PHL TRPH TRPU TYRH TYRU
    ABU AIB DALA MELEU MEVAL
    ACE NAC NME NH2 NHE CT3
"""
_WATER = "SOL WAT HOH OHH TIP T3P T4P T5P T3H"
_IONS = "K NA CA MG CL ZN CU1 CU LI NA+ RB CS F CL- BR I OH Cal IB+"


def _kinds() -> dict[str, str]:
    kind = dict.fromkeys((_WITH_ENDS + _WITHOUT).split(), "Protein")
    for word in _WITH_ENDS.split():
        kind["N" + word] = kind["C" + word] = "Protein"
    for base in "AGCT":  # alone, or at the 5' or 3' end, or a free nucleoside
        kind |= dict.fromkeys((f"D{base}", f"D{base}5", f"D{base}3", f"D{base}N"), "DNA")
    for base in "AUCG":
        kind |= dict.fromkeys((base, f"R{base}"), "RNA")
    for base in "AUCGT":
        kind |= dict.fromkeys((f"R{base}5", f"R{base}3", f"R{base}N"), "RNA")
    return kind | dict.fromkeys(_WATER.split(), "Water") | dict.fromkeys(_IONS.split(), "Ion")


#: Kind by residue name: "Protein", "DNA", "RNA", "Water" or "Ion".
KINDS: dict[str, str] = _kinds()


def kind_of(residue_name: str) -> str:
    """The kind of a residue, "Other" if its name is unknown; names are case-sensitive."""
    return KINDS.get(residue_name, "Other")
