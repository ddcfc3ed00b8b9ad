# SPDX-License-Identifier: Apache-2.0
"""The program that other ranks than the first run; see `ranks`. It imports only what it must."""

if __name__ == "__main__":
    from aureole.ranks import live_as_follower

    live_as_follower()
