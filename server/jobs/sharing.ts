/** Whether other workers take pieces of a job (`jobs.shared`). */
export const sharing = {
  /** Its worker hears it alone. */
  not: 0,
  /** Another worker has nothing to do, and asks for pieces. */
  wanted: 1,
  /** Any worker can read its decoded audio, and takes pieces. */
  offered: 2,
} as const;

/** Who may hear a piece (`pieces.reserved`). */
export const reserved = {
  /** Any worker, once the job is shared. */
  forNobody: 0,
  /** The job's own worker: another one has failed at it. */
  forOwner: 1,
  /** The same, and before all others: a worker has died that was at it. */
  asSuspect: 2,
} as const;
