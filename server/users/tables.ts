import type { Generated, Selectable } from "kysely";
import type { InterfaceLanguage } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    users: UserTable;
  }
}

export interface UserTable {
  id: string;
  email: string;
  name: string;
  /** The folded name for search (contract/search/terms.ts). */
  folded_name: Generated<string>;
  /** "" for an account with federated sign-in only. */
  password_hash: string;
  /** 1 when the user has proven ownership of the address. */
  email_verified: number;
  is_superuser: number;
  plan_type: string;
  /** Version counter of this user's transcriptions; each changed row gets the next number. */
  revision: number;
  /** The revision of the last change of the user's folders or tags. */
  filing_revision: Generated<number>;
  /** The language of mails. */
  language: InterfaceLanguage;
  /** File name of the avatar; null for none. */
  avatar: string | null;
  created_at: number;
  /** When an operator blocked the account (epoch ms): no sign-in, no transcription. Null: not blocked. */
  blocked_at: number | null;
}

export type User = Omit<Selectable<UserTable>, "folded_name">;
