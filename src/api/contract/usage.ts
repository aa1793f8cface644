import * as v from "valibot";

/** SPEC.md section 9, "Free-tier limit": minutes a month. */
export const freeMinutes = 10;

/** GET /api/v1/usage: the user's minutes in the calendar month (UTC). */
export const Usage = v.object({
  usedTranslationMinutes: v.number(),
  /** null: no limit (a subscription, or a superuser). */
  limitMinutes: v.nullable(v.number()),
  /** ISO 8601, UTC: when the count resets. */
  resetsAt: v.string(),
  /** There is a vault, which can be opened without a subscription, too; absent: there is none. */
  hasVault: v.optional(v.literal(true)),
});
export type Usage = v.InferOutput<typeof Usage>;

/** GET /api/v1/storage: the user's stored data, in bytes. */
export const StorageUse = v.object({
  usedBytes: v.number(),
  /** null: no limit. */
  quotaBytes: v.nullable(v.number()),
});
export type StorageUse = v.InferOutput<typeof StorageUse>;
