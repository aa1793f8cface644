declare module "#server/db/schema.ts" {
  interface Schema {
    mails: MailTable;
  }
}

/** Mails to be sent or, without a mail server, to be viewed. */
export interface MailTable {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  created_at: number;
  next_at: number;
  attempts: number;
  /** The account concerned: mails are deleted with it. Null for mails without an account. */
  user_id: string | null;
  /** Reply-To, when it is not the sender. */
  reply_to: string | null;
}
