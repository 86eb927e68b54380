#!/bin/sh
# Devices by CUDA, with the driver and the compiler of tests/cuda in place of NVIDIA's: what is listed,
# that the kernels compute what they do by OpenCL, and what happens when the device is lost.
. tests/cli/lib.sh

run "$BERTH" devices -v
check 'without a driver: devices -v says so' all exited 0 -- silent -- \
    grep -q '^CUDA: \|^ *cuda:0' stdout
if [ -n "$sanitize" ]; then
    skip 'an emulated GPU' 'sanitizers do not know its stacks'
    finish
fi
mkdir cuda old
if ! ${CC:-cc} -std=c11 -O1 -Wall -Wextra -Werror -shared -fPIC -o cuda/libcuda.so.1 \
    "$root/tests/cuda/driver.c" -ldl -lpthread 2>cc.log || ! command -v c++ >/dev/null; then
    skip 'an emulated GPU' 'a C++ compiler is not installed'
    finish
fi
cp cuda/libcuda.so.1 cuda/libnvrtc.so.13
cp cuda/libcuda.so.1 old/
"$BERTH" devices >before

emulated() { # [VARIABLE=VALUE ...] COMMAND...
    env LD_LIBRARY_PATH="$work/cuda" FAKE_CUDA_EMULATE="$root/tests/cuda/emulate.h" "$@"
}

if grep -q ' CUDA (NVIDIA),' before; then
    skip 'what is listed' 'there is a GPU'
else
    run emulated FAKE_CUDA_DEVICES=2 "$BERTH" devices -v
    sed -n '1,8p' stdout >gpus
    cat >wanted <<'END'
* 0  GPU   Emulated GPU
           platform CUDA (NVIDIA), driver CUDA 13.0
           2 compute units at 1000 MHz, 1.0 GiB memory, float vectors of 1
           cuda:0
  1  GPU   Emulated GPU
           platform CUDA (NVIDIA), driver CUDA 13.0
           2 compute units at 1000 MHz, 1.0 GiB memory, float vectors of 1
           cuda:1
END
    check "CUDA's stand before OpenCL's" all exited 0 -- silent -- same wanted gpus -- \
        grep -q '^           opencl:0$' stdout
    run emulated FAKE_CUDA_DEVICES=100 "$BERTH" devices
    check 'a hundred GPUs, and the CPU behind them' all exited 0 -- silent -- grep -q '^  99  GPU ' stdout -- \
        grep -q '^  100  CPU ' stdout
    run emulated FAKE_CUDA_DEVICES=0 "$BERTH" devices
    check 'a driver without a GPU changes nothing' all exited 0 -- silent -- same before stdout
    run emulated FAKE_CUDA_DEVICES=0 "$BERTH" devices -v
    check 'but for devices -v' \
        grep -q -x 'CUDA: the driver has no device: CUDA_ERROR_NO_DEVICE (100)' stdout
    run env LD_LIBRARY_PATH="$work/old" FAKE_CUDA_VERSION=11080 "$BERTH" devices
    check 'a driver that cannot be used is said' all exited 0 -- holds stdout ' CUDA 11; CUDA 12 ' -- said 'an old driver'
    sed '$d' stdout >others
    check 'and OpenCL takes its place' same before others
    run env LD_LIBRARY_PATH="$work/old" FAKE_CUDA_VERSION=11080 "$BERTH" show-kernel --device opencl:0
    check 'not where it was not asked for' all exited 0 -- silent
fi

run emulated "$BERTH" show-kernel --device cuda:0 --variant vector_width=4
check 'vectors are refused' all exited 1 -- \
    said vectors

check_kernels=$(dirname "$BERTH")/tests/kernel/check_kernels
by_cuda() { # KERNEL...
    for kernel; do
        run emulated "$check_kernels" --device cuda:0 --kernel "$kernel" --small
        check "by CUDA: $kernel" all exited 0 -- grep -q "^ *$kernel *ok$" stdout
    done
}
by_cuda energy
run emulated FAKE_CUDA_LESS=2048 "$check_kernels" --device cuda:0 --kernel refine --small
check 'a kernel that writes behind its local memory is found' all exited 1 -- \
    grep -q 'refine *FAILED: .*CUDA_ERROR_ILLEGAL_ADDRESS (700)' stdout

dock() { # DEVICE OPTIONS...
    device=$1
    shift
    emulated FAKE_CUDA_DEVICES="${gpus:-1}" FAKE_CUDA_FAIL="${fail:-}" "$BERTH" dock \
        --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 $rigid --poses 256 \
        --generations 3 --hops 0 --device "$device" "$@"
}
slice devices 'other kernels, and dockings by CUDA'
by_cuda large_refine select_bins mapped_generation restrained_refine restrained_generation
one='--ligand demo/1hpv_ligand_turned.mol2'
for number in 1 2 3 4 5 6 7 8; do fragment "number$number"; done >many.mol2

run dock cuda:0 $one --scores first.csv --out first.sdf
check 'a docking by CUDA' exited 0
for device in cuda:0 opencl:0; do
    emulated "$BERTH" score --receptor pocket.mol2 --ligand demo/ten_drugs.mol2.gz --device $device \
        --out ${device%:0}.csv || break
done
awk -F , 'FNR == NR { for (i = 2; i <= NF; i++) by_cuda[FNR, i] = $i; next }
    { for (i = 2; i <= NF; i++) { apart = $i - by_cuda[FNR, i]; apart = apart < 0 ? -apart : apart
          if (apart > 1e-5 * ($i < 0 ? -$i : $i) + 1.01e-4) print; count++ } }
    END { if (count < 50) print "too few" }' cuda.csv opencl.csv >apart
check 'the same energies as by OpenCL' [ ! -s apart ]
run dock cuda:0 $one --scores again.csv --out again.sdf
check 'and the same bytes again' all exited 0 -- same first.csv again.csv -- same first.sdf again.sdf

# Nobody asked for the GPU: without its context the next device takes its place.
fallen() { # COMMAND OPTIONS...
    emulated FAKE_CUDA_FAIL='cuDevicePrimaryCtxRetain 1 2' "$BERTH" "$@"
}
run fallen score --receptor pocket.mol2 --ligand demo/ten_drugs.mol2.gz --out fallen.csv
check 'a GPU without a context: score takes the CPU' all exited 0 -- same opencl.csv fallen.csv -- \
    grep -q '^berth: warning: device 0 (Emulated GPU): .* device 1 (' stderr
run fallen score --receptor pocket.mol2 --ligand demo/ten_drugs.mol2.gz --device cuda:0 --out none.csv
check 'not where the GPU was asked for' all exited 1 -- holds stderr 'device 0 (Emulated GPU): '
run fallen dock --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 $rigid --poses 256 \
    --generations 3 --hops 0 $one --out fallen.sdf
sed -i 's/ device 1 (.*/ device 1/' stderr
check 'and so does dock' all exited 0 -- said 'without a context'

gpus=2
run dock all --ligand many.mol2 --batch 1 --scores shared.csv --out shared.sdf
cut -d , -f 17 shared.csv | sort -u >names
check 'two GPUs and a CPU share the ligands' all exited 0 -- [ "$(grep -c , shared.csv)" -ge 9 ] -- \
    grep -q '^Emulated GPU$' names
gpus=1

fail='cuLaunchKernel 4 719'
refused 'lost' dock cuda:0 $one --out out/p.sdf
fail='cuEventSynchronize 1 700'
refused_too 'an address that is none' ' CUDA_ERROR_ILLEGAL_ADDRESS (700)' dock cuda:0 $one --out out/p.sdf
fail='cuMemAlloc_v2 2 2'
refused_too 'memory runs out' ' CUDA_ERROR_OUT_OF_MEMORY (2)' dock cuda:0 $one --out out/p.sdf
fail='cuMemAllocHost_v2 1 2'
run dock cuda:0 $one --scores without.csv --out without.sdf
check "the host's fast memory runs out: that is slower" all exited 0 -- same first.csv without.csv
fail='cuDevicePrimaryCtxRetain 1 46'
refused_too 'no context' ' CUDA_ERROR_DEVICE_UNAVAILABLE (46)' dock cuda:0 $one --out out/p.sdf
fail=
rm -rf out
mkdir out
run emulated BERTH_CACHE_DIR= FAKE_CUDA_EMULATE=/nonexistent "$BERTH" dock --receptor pocket.mol2 $one \
    --autobox_ligand demo/1hpv_ligand.mol2 $rigid --device cuda:0 --out out/p.sdf
check 'a program that the compiler refuses: its options and its log' all exited 1 -- nothing_in out -- \
    grep -q '^berth: device 0 (Emulated GPU, driver CUDA 13.0) .*: NVRTC_ERROR_COMPILATION (-6); .*-DBERTH_PPWI=' stderr -- \
    grep -q 'k.cpp:1:10: .*: /nonexistent' stderr
run emulated "$BERTH" dock --receptor pocket.mol2 $one --autobox_ligand demo/1hpv_ligand.mol2 \
    --device cuda:1 --out out/p.sdf
check 'a device that is not there' all exited 1 -- \
    grep -q "'cuda:1'.* 0 (Emulated GPU), 1 (" stderr
finish
