declare module "#server/db/schema.ts" {
  interface Schema {
    processes: ProcessTable;
    claims: ClaimTable;
  }
}

/** A process of an installation that has several. */
interface ProcessTable {
  id: string;
  /** Its last sign of life, by its own clock. */
  seen_at: number;
}

/** A process's claim on something that all processes share: a person's slot, bytes of a quota. */
interface ClaimTable {
  id: string;
  /** SHA-256 of what it is of, hex. */
  key: string;
  process: string;
  amount: number;
}

// Makes this a module: only a module can add to another.
export {};
