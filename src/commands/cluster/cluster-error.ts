/** Thrown when a part of a cluster cannot run. The message says what to do. */
export class ClusterError extends Error {}
