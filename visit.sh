export PYTHONUNBUFFERED=1 AUREOLE_SECONDS=0.4
python3 tools/gpu_check.py --minutes 3.2 --only "device layer" transforms forces "as GROMACS" conservation "restarts and bits" "speed of Lennard-Jones" "speed of water" "speed of a protein" OpenMM "racecheck of steps"
export PYTHONPATH=$PWD/python:$PWD/third_party/pack/site LD_LIBRARY_PATH=/usr/local/cuda/lib64 AUREOLE_PACK=$PWD/third_party/pack
timeout 60 python3 bench/gpu_speed.py sweep 2>&1 | tee $OUT/sweepA.txt
tar xf third_party/pack/variant.tar.xz -C /tmp && cp /tmp/bin/_core.abi3.so python/aureole/
timeout 60 python3 bench/gpu_speed.py sweep 2>&1 | tee $OUT/sweepB.txt
