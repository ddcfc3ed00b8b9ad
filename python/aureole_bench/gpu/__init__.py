# SPDX-License-Identifier: Apache-2.0
"""The device beside the host."""
