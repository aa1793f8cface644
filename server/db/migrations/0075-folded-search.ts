import type { Kysely } from "kysely";

interface Tables {
  transcriptions: { id: string; title: string; text: string; translated_text: string; haystack: string; weight: number };
  blog_posts: { id: string; title: string; haystack: string };
  users: { id: string; name: string; folded_name: string };
}

/** Rows that are read at once. */
const portion = 100;

/** The searched text was in lower case; now it is also without accents: "strasse" finds "Straße". */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("users")
    .addColumn("folded_name", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  const users = await db.selectFrom("users").select(["id", "name"]).where("name", "!=", "").execute();
  for (const { id, name } of users) {
    await db
      .updateTable("users")
      .set({ folded_name: folded(name) })
      .where("id", "=", id)
      .execute();
  }
  for (const { id, title } of await db.selectFrom("blog_posts").select(["id", "title"]).execute()) {
    await db
      .updateTable("blog_posts")
      .set({ haystack: `${title.toLowerCase()}\n${folded(title)}` })
      .where("id", "=", id)
      .execute();
  }
  for (let last = ""; ; ) {
    const rows = await db
      .selectFrom("transcriptions")
      .select(["id", "title", "text", "translated_text", "haystack", "weight"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(portion)
      .execute();
    for (const row of rows) {
      const haystack = [row.title, row.text, row.translated_text].map(folded).join("\n");
      if (haystack === row.haystack) continue;
      const weight = row.weight + haystack.length - row.haystack.length;
      await db.updateTable("transcriptions").set({ haystack, weight }).where("id", "=", row.id).execute();
    }
    last = rows.at(-1)?.id ?? last;
    if (rows.length < portion) return;
  }
}

const plainer: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", ς: "σ" },
};

/** The function as of this migration's release (contract/search/terms.ts). */
function folded(text: string): string {
  return text
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, "")
    .replace(/[‘’‚‛′´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‐-―−]/g, "-")
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[ßæœøłđðþıς]/g, (letter) => plainer[letter] ?? letter)
    .replace(/\s+/g, " ");
}
