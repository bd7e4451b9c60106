"""The EMEP problem: 66 species of the lower atmosphere, which form ozone, over five days and four nights.

Chemistry: D. Simpson, Y. Andersson-Skold and M. E. Jenkin, Updating the chemical scheme for the EMEP MSC-W
oxidant model, EMEP MSC-W Note 2/93. Problem and solution: F. Mazzia and C. Magherini, Test Set for Initial
Value Problem Solvers, release 2.4 (2008), file emep.f. Units: molecules, cm, s, K.
"""

from __future__ import annotations

from math import cos, exp, pi, sin

import numpy as np

SUNRISE, SUNSET, DAY = 4 * 3600.0, 20 * 3600.0, 24 * 3600.0
STOP = 4 * DAY + SUNSET
T, MIXING_HEIGHT = 298.0, 1.2e5
AIR, OXYGEN = 2.55e19, 5.2e18
DARK = 1e-40  # rate of any photolysis at night

NAMES = """
    NO NO2 SO2 CO CH4 C2H6 NC4H10 C2H4 C3H6 OXYL HCHO CH3CHO MEK O3 HO2 HNO3 H2O2 H2 CH3O2 C2H5OH SA
    CH3O2H C2H5O2 CH3COO PAN SECC4H MEKO2 R2OOH ETRO2 MGLYOX PRRO2 GLYOX OXYO2 MAL MALO2 OP OH OD NO3 N2O5
    ISOPRE NITRAT ISRO2 MVK MVKO2 CH3OH RCO3H OXYO2H BURO2H ETRO2H PRRO2H MEKO2H MALO2H MACR ISNI ISRO2H
    MARO2 MAPAN CH2CCH3 ISONO3 ISNIR MVKO2H CH2CHR ISNO3H ISNIRH MARO2H
"""
SPECIES = NAMES.split()

# A, B, reactions at the rate A exp(-B / cos(zenith angle of the sun)) by day; GLYOX decays at twice the rate.
PHOTOLYSIS = """
1.23e-3 0.60: O3 -> OP
2.00e-4 1.40: O3 -> OD
1.45e-2 0.40: NO2 -> NO + OP
2.20e-5 0.75: H2O2 -> 2 OH
3.00e-6 1.25: HNO3 -> NO2 + OH
5.40e-5 0.79: HCHO -> CO + 2 HO2
6.65e-5 0.60: HCHO -> CO + H2; GLYOX -> CO + HCHO; GLYOX -> CO + HCHO
1.35e-5 0.94: CH3CHO -> CO + HO2 + CH3O2
2.43e-5 0.88: MEK -> C2H5O2 + CH3COO
2.16e-4 0.79: MGLYOX -> CO + HO2 + CH3COO
3.53e-2 0.081: NO3 -> NO
8.94e-2 0.059: NO3 -> NO2 + OP
3.32e-5 0.57: N2O5 -> NO2 + NO3
2.27e-5 0.62: CH3O2H -> HCHO + HO2 + OH; R2OOH -> CH3CHO + HO2 + OH; RCO3H -> CH3O2 + OH;
    BURO2H -> 0.35 CH3CHO + 0.65 MEK + 0.65 HO2 + 0.35 C2H5O2 + OH; CH2CCH3 -> CH2CCH3 + MEK;
    ETRO2H -> 1.56 HCHO + 0.22 CH3CHO + HO2 + OH; PRRO2H -> HCHO + CH3CHO + HO2;
    MEKO2H -> CH3CHO + CH3COO + OH; OXYO2H -> HO2 + MGLYOX + MAL + OH; MALO2H -> HO2 + MGLYOX + GLYOX + OH
"""

# A, B, reactions at the rate A exp(B / T).
THERMAL = """
1.8e-12 -1370: NO + O3 -> NO2
1.2e-13 -2450: NO2 + O3 -> NO3
1.9e-12 -1000: O3 + OH -> HO2
1.4e-14 -600: O3 + HO2 -> OH
1.8e-11 110: NO + NO3 -> 2 NO2
3.7e-12 240: NO + HO2 -> NO2 + OH
7.2e-14 -1414: NO2 + NO3 -> NO + NO2
7.1e14 -11080: N2O5 -> NO2 + NO3
4.8e-11 250: HO2 + OH ->
2.9e-12 -160: H2O2 + OH -> HO2
7.7e-12 -2100: H2 + OH -> HO2
1.0e-14 785: HNO3 + OH -> NO3
3.9e-12 -1885: CH4 + OH -> CH3O2
4.2e-12 180: CH3O2 + NO -> NO2 + HCHO + HO2; ETRO2 + NO -> NO2 + 2 HCHO + HO2;
    SECC4H + NO -> NO2 + 0.35 CH3CHO + 0.65 MEK + 0.65 HO2 + 0.35 C2H5O2; MEKO2 + NO -> NO2 + CH3CHO + CH3COO;
    CH2CCH3 + NO -> NO2 + MEK + HO2; PRRO2 + NO -> NO2 + HCHO + CH3CHO + HO2;
    OXYO2 + NO -> NO2 + HO2 + MGLYOX + MAL; MALO2 + NO -> NO2 + HO2 + MGLYOX + GLYOX;
    ISNIR + NO -> 1.9 NO2 + 0.95 CH3CHO + 0.95 MEK + 0.05 HO2;
    ISRO2 + NO -> 0.86 NO2 + 0.74 HCHO + 0.78 HO2 + 0.12 ISRO2 + 0.42 MVK + 0.32 MACR + 0.14 ISNI;
    MVKO2 + NO -> 0.95 NO2 + 0.266 HCHO + 0.684 CH3CHO + 0.95 HO2 + 0.684 CH3COO + 0.266 MGLYOX + 0.05 ISNI;
    ISONO3 + NO -> 1.1 NO2 + 0.15 HCHO + 0.8 HO2 + 0.05 MVK + 0.1 MACR + 0.85 ISNI
5.5e-14 365: CH3O2 + CH3O2 -> 2 HCHO + 2 HO2; CH3O2 + CH3O2 -> HCHO + CH3OH
3.3e-12 -380: CH3OH + OH -> HCHO + HO2
3.8e-13 780: CH3O2 + HO2 -> CH3O2H
1.0e-12 190: CH3O2H + OH -> HCHO + OH
1.9e-12 190: CH3O2H + OH -> CH3O2; R2OOH + OH -> C2H5O2; RCO3H + OH -> CH3COO; BURO2H + OH -> SECC4H;
    ETRO2H + OH -> ETRO2; PRRO2H + OH -> PRRO2
5.8e-12 190: R2OOH + OH -> CH3CHO + OH; ETRO2H + OH -> CH3CHO + OH; BURO2H + OH -> MEK + OH;
    PRRO2H + OH -> MEK + OH
7.8e-12 -1020: C2H6 + OH -> C2H5O2
6.5e-13 650: C2H5O2 + HO2 -> R2OOH
5.6e-12 310: CH3CHO + OH -> CH3COO
1.34e16 -13330: PAN -> NO2 + CH3COO; MAPAN -> NO2 + MARO2
1.64e-11 -559: NC4H10 + OH -> SECC4H
1.3e-13 1040: CH3COO + HO2 -> RCO3H
3.0e-13 1040: CH3COO + HO2 -> O3
2.8e-12 530: CH3COO + CH3COO -> 2 CH3O2
1.66e-12 474: C2H4 + OH -> ETRO2
1.2e-14 -2630: C2H4 + O3 -> 0.44 CO + HCHO + 0.12 HO2 + 0.13 H2
6.5e-15 -1880: C3H6 + O3 -> 0.4 CO + 0.07 CH4 + 0.5 HCHO + 0.5 CH3CHO + 0.28 HO2 + 0.07 H2 + 0.31 CH3O2
    + 0.15 OH
12.3e-15 -2013: ISOPRE + O3 -> 0.05 CO + 0.07 C3H6 + 0.8 HCHO + 0.06 HO2 + 0.3 OP + 0.55 OH + 0.26 MVK
    + 0.67 MACR
2.54e-11 410: ISOPRE + OH -> ISRO2
4.13e-12 452: MVK + OH -> MVKO2
1.86e-11 175: MACR + OH -> 0.5 MARO2
4.32e-15 -2016: MVK + O3 -> 0.05 CO + 0.8 HCHO + 0.04 CH3CHO + 0.06 HO2 + 0.82 MGLYOX + 0.2 OP + 0.08 OH
1.0e-4 0: HNO3 -> NITRAT; N2O5 -> 2 NITRAT; H2O2 ->; CH3O2H ->
1.4e-12 0: NO2 + NO3 -> N2O5
1.4e-11 0: NO2 + OH -> HNO3
4.1e-16 0: H2O2 + NO3 -> HO2 + HNO3
1.35e-12 0: SO2 + OH -> HO2 + SA
4.0e-17 0: SO2 + CH3O2 -> HCHO + HO2 + SA
3.2e-12 0: C2H5OH + OH -> CH3CHO + HO2
9.6e-12 0: HCHO + OH -> CO + HO2
5.8e-16 0: HCHO + NO3 -> CO + HO2 + HNO3
2.4e-13 0: CO + OH -> HO2
8.9e-12 0: C2H5O2 + NO -> NO2 + CH3CHO + HO2
1.0e-11 0: CH3COO + NO2 -> PAN; MARO2 + NO2 -> MAPAN
2.0e-11 0: CH3COO + NO -> NO2 + CH3O2; MARO2 + NO -> NO2 + CH2CCH3
1.1e-11 0: CH3O2 + CH3COO -> HCHO + 0.5 HO2 + 0.5 CH3O2
1.0e-11 0: SECC4H + HO2 -> BURO2H; MEKO2 + HO2 -> MEKO2H; ETRO2 + HO2 -> ETRO2H; PRRO2 + HO2 -> PRRO2H;
    OXYO2 + HO2 -> OXYO2H; MALO2 + HO2 -> MALO2H; ISRO2 + HO2 -> ISRO2H; MVKO2 + HO2 -> MVKO2H;
    MARO2 + HO2 -> MARO2H; CH2CCH3 + HO2 -> CH2CHR; ISONO3 + HO2 -> ISNO3H; ISNIR + HO2 -> ISNIRH
1.15e-12 0: MEK + OH -> MEKO2
4.8e-12 0: MEKO2H + OH -> MEKO2
2.86e-11 0: C3H6 + OH -> PRRO2
3.2e-11 0: CH2CHR + OH -> CH2CCH3
2.0e-11 0: ISNO3H + OH -> ISONO3; ISRO2H + OH -> ISRO2 + OH; MAL + OH -> MALO2
2.2e-11 0: MVKO2H + OH -> MVKO2
3.7e-11 0: ISNIRH + OH -> ISNIR; MARO2H + OH -> MARO2
8.0e-18 0: ISRO2H + O3 -> 0.7 HCHO
3.35e-11 0: ISNI + OH -> ISNIR
7.8e-13 0: ISOPRE + NO3 -> ISONO3
1.1e-11 0: GLYOX + OH -> 2 CO + HO2
1.7e-11 0: MGLYOX + OH -> CO + CH3COO; OXYO2H + OH -> OXYO2
2.4e-11 0: MALO2H + OH -> MALO2
1.37e-11 0: OXYL + OH -> OXYO2
"""

THIRD_BODY = [
    ((5.7e-34 * (T / 300.0) ** -2.8 * AIR * OXYGEN,), "OP -> O3"),
    ((9.6e-32 * (T / 300.0) ** -1.6 * AIR,), "OP + NO -> NO2"),
    ((2.0e-11 * exp(100.0 / T) * AIR,), "OD -> OP"),
]

# In proportion to water, and to 1 + 1.4e-21 exp(2200 / T) times water.
HUMID = [
    ((2.2e-10,), "OD -> 2 OH"),
    ((2.3e-13 * exp(600.0 / T) + 1.7e-33 * exp(1000.0 / T) * AIR,), "HO2 + HO2 -> H2O2"),
]

# Velocities to the ground by day; at night a quarter of them.
DEPOSITION = """
0.1: SA ->; NITRAT ->
0.2: NO2 ->; PAN ->; MAPAN ->
0.3: HCHO ->; CH3CHO ->; MEK ->
0.5: SO2 ->; H2O2 ->; O3 ->; R2OOH ->; RCO3H ->; OXYO2H ->; BURO2H ->; ETRO2H ->; PRRO2H ->; MEKO2H ->;
    MALO2H ->; ISRO2H ->; MVKO2H ->; CH2CHR ->; ISNO3H ->; ISNIRH ->; MARO2H ->
"""

# 2.5e11 molecules/(cm^2 s) each of NO, SO2 and hydrocarbons, these as shares of mass over molar masses.
EMITTED = 2.5e11 / MIXING_HEIGHT
HYDROCARBONS = {
    "C2H6": 0.07689 / 30.0, "NC4H10": 0.41444 / 58.0, "C2H4": 0.03642 / 28.0,
    "C3H6": 0.03827 / 42.0, "OXYL": 0.24537 / 106.0, "C2H5OH": 0.13957 / 46.0,
}  # fmt: skip
EMISSIONS = [
    ((EMITTED,), "-> NO; -> SO2 + 0.05 SA"), ((10.0 * EMITTED,), "-> CO"), ((0.5 * EMITTED,), "-> ISOPRE"),
    *(((EMITTED * n / sum(HYDROCARBONS.values()),), f"-> {name}") for name, n in HYDROCARBONS.items()),
]  # fmt: skip

START = np.full(66, 1e2)
START[:13] = 1e9, 5e9, 5e9, 3.8e12, 3.5e13, *[1e7] * 8
START[13], START[37] = 5e11, 1e-3

SOLUTION = [
    0.2564580511140732e8, 0.5146134770952715e11, 0.2315679957701715e12, 0.1130936599472892e14,
    0.3459285326034955e14, 0.1027236550974901e12, 0.8508735586836855e11, 0.4131285674624012e10,
    0.1270937854717943e10, 0.5632880890404914e10, 0.8263821552730888e11, 0.3293552658908353e11,
    0.1054058186206315e12, 0.3150308585365321e13, 0.2488383936633755e8, 0.1097565615411556e11,
    0.1365196557629180e11, 0.3852048230503094e12, 0.1137462721600089e9, 0.2850982205905218e11,
    0.3786933619791445e12, 0.3832384333863027e10, 0.4804939902203071e7, 0.3390546081092960e8,
    0.3494452929972591e11, 0.1490576370801779e8, 0.1000567871868853e8, 0.1856753061984312e10,
    0.2272206156875160e7, 0.5168375883757783e10, 0.2317595952406701e7, 0.3035139656996921e10,
    0.5928979479102226e7, 0.2515297290687841e10, 0.4569678276203798e7, 0.3727926507368739e1,
    0.4063589349848112e5, 0.8159151146269279e-37, 0.5577590724412284e9, 0.7684596616753747e9,
    0.5338491777959816e10, 0.6048604025328409e12, 0.4222237216819787e8, 0.3681852767009784e10,
    0.5835731567978018e7, 0.1456507159081862e10, 0.8862868684014137e10, 0.9338753312528582e9,
    0.3595753586682656e10, 0.4622427584057254e9, 0.2395910064875511e9, 0.6080936586253302e10,
    0.7704108297342240e9, 0.3386220860753221e10, 0.1838264387030593e10, 0.1973252346091884e10,
    0.1313403940892729e7, 0.1344471764571674e10, 0.2568483117244701e7, 0.1131854591900057e10,
    0.4591537937818946e7, 0.8609382282952802e9, 0.3509560971283513e9, 0.6682350971104786e9,
    0.3207356403011160e9, 0.1144987634882048e9,
]  # fmt: skip


def rows(table: str) -> list[tuple[tuple[float, ...], str]]:
    """The numbers and the reactions of each line; a line that is indented continues the one before."""
    pairs = (line.split(":") for line in table.strip().replace("\n    ", " ").splitlines())
    return [(tuple(map(float, numbers.split())), reactions) for numbers, reactions in pairs]


def molecules(side: str) -> list[tuple[int, float]]:
    """The species on one side of a reaction, each with its number of molecules."""
    terms = [term.split() for term in side.split(" + ") if term.strip()]
    return [(SPECIES.index(name), float(*count or [1.0])) for *count, name in terms]


LIGHT = rows(PHOTOLYSIS)
SETTLING = [((velocity / MIXING_HEIGHT,), reactions) for (velocity,), reactions in rows(DEPOSITION)]
DARK_REACTIONS = [((a * exp(b / T),), reactions) for (a, b), reactions in rows(THERMAL)]
LAWS = [*LIGHT, *SETTLING, *HUMID, *THIRD_BODY, *DARK_REACTIONS, *EMISSIONS]
LIT, SETTLED = len(LIGHT), len(LIGHT) + len(SETTLING)
CONSTANTS = np.array([numbers[0] for numbers, _ in LAWS])
EXTINCTION = np.array([numbers[1] for numbers, _ in LIGHT])

REACTIONS = [
    (law, *map(molecules, reaction.split("->")))
    for law, (_, reactions) in enumerate(LAWS) for reaction in reactions.split(";")
]  # fmt: skip
LAW = np.array([law for law, _, _ in REACTIONS])
NONE = len(SPECIES)  # stands for a reactant that is not there
REACTANTS = np.array([([number for number, _ in left] + [NONE] * 2)[:2] for _, left, _ in REACTIONS])
STOICHIOMETRY = np.zeros((len(SPECIES), len(REACTIONS)))
for column, (_, consumed, formed) in enumerate(REACTIONS):
    for number, count in consumed:
        STOICHIOMETRY[number, column] -= count
    for number, count in formed:
        STOICHIOMETRY[number, column] += count
CHANGED, BY = np.array(np.nonzero(STOICHIOMETRY))
COUNTS = STOICHIOMETRY[CHANGED, BY]


def emep(x, daylight, clock):
    """Derivative of the concentrations, with `daylight` 1 by day and 0 at night, `clock` s after midnight."""
    k = CONSTANTS.copy()
    latitude, declination = 50.0 * pi / 180.0, 23.5 * pi / 180.0
    height = cos(pi * (1.0 + clock / 43200.0)) * cos(latitude) * cos(declination)
    height += sin(latitude) * sin(declination)
    for i in range(LIT):
        k[i] = k[i] * exp(-EXTINCTION[i] / height) if daylight > 0.5 else DARK
    if daylight < 0.5:
        k[LIT:SETTLED] *= 0.25
    saturation = (597.3 - 0.57 * (T - 273.16)) * 18.0 / 1.986 * (1.0 / T - 1.0 / 273.16)
    humidity = 23.0 * sin(2.43 - 7.93e-5 * clock) + 66.5
    water = 6.1078 * exp(-saturation) * 10.0 / (1.38e-16 * T) * humidity
    k[SETTLED] *= water
    k[SETTLED + 1] *= 1.0 + 1.4e-21 * exp(2200.0 / T) * water
    amounts = np.ones(len(x) + 1)
    amounts[: len(x)] = x
    rates = np.zeros(len(LAW))
    for i in range(len(LAW)):
        rates[i] = k[LAW[i]] * amounts[REACTANTS[i, 0]] * amounts[REACTANTS[i, 1]]
    f = np.zeros(len(x))
    for i in range(len(COUNTS)):
        f[CHANGED[i]] += COUNTS[i] * rates[BY[i]]
    return f
