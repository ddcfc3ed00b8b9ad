# SPDX-License-Identifier: Apache-2.0
"""The program that other ranks than the first run; see `ranks`."""

from .ranks import live_as_follower

if __name__ == "__main__":
    live_as_follower()
