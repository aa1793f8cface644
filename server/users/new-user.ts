import { randomUUID } from "node:crypto";
import type { User } from "./tables.ts";

/** The row of a new account, without password and rights unless `about` says otherwise. @param at epoch ms */
export function newUser(about: Pick<User, "email" | "name"> & Partial<User>, at: number): User {
  return {
    id: randomUUID(),
    password_hash: "",
    email_verified: 0,
    is_superuser: 0,
    plan_type: "free",
    revision: 0,
    language: "en",
    avatar: null,
    blocked_at: null,
    filing_revision: 0,
    created_at: at,
    ...about,
  };
}
