/** After so long a wait has hung, on the slowest machine too. Nothing that a test asserts depends on it. */
export const PATIENCE_MS = 600_000;
