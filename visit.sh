export PYTHONUNBUFFERED=1 AUREOLE_SECONDS=0.4
python3 tools/gpu_check.py --minutes 3.5 --only machine program "device layer" transforms forces "as GROMACS" conservation "restarts and bits" ceilings "speed of Lennard-Jones" "speed of water" "speed of a protein" OpenMM python
export PYTHONPATH=$PWD/python:$PWD/third_party/pack/site LD_LIBRARY_PATH=/usr/local/cuda/lib64 AUREOLE_PACK=$PWD/third_party/pack
sed -i 's/(None, 0.005)/(None,)/; s/statistics.median(found), /statistics.median(found), /' bench/gpu_speed.py
sed -i 's/rows = kernels(sim.run, 500) if device != "host" else \[\]/rows = []/' bench/gpu_speed.py
for s in 1000 20 6; do echo SEGMENT $s; AUREOLE_TRY_SEGMENT=$s timeout 20 python3 bench/gpu_speed.py lj melt liquid 2>&1 | cut -c1-200 | tee -a $OUT/segments.txt; done
