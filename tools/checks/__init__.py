# SPDX-License-Identifier: Apache-2.0
"""The tiers and lanes of the checks: what runs when, what has passed, and what it costs."""
