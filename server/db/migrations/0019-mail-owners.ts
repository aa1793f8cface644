import { type Kysely, sql } from "kysely";

/**
 * E-mails belong to an account and are deleted with it, including those to a new address; replies go to the user
 * concerned.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("mails")
    .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
    .execute();
  await db.schema.alterTable("mails").addColumn("reply_to", "text").execute();
  await db.schema.createIndex("mails_user").on("mails").column("user_id").execute();
  await sql`
    update mails set user_id = coalesce(
      (select users.id from users where users.email = mails.recipient),
      (select min(account_tokens.user_id) from account_tokens where account_tokens.email = mails.recipient)
    )`.execute(db);
}
