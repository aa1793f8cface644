import type { AuditAction } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    audit_log: AuditTable;
  }
}

/** The audit log of admins' changes to users. It outlives the accounts, but their addresses are removed from it. */
export interface AuditTable {
  id: string;
  at: number;
  action: AuditAction;
  actor_id: string;
  actor_email: string | null;
  /** Null: it does not concern a single user. */
  user_id: string | null;
  user_email: string | null;
  /** JSON: AuditState */
  before: string;
  after: string;
  reason: string;
}
