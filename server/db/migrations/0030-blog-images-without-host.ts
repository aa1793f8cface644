import { type Kysely, sql } from "kysely";

/**
 * One of our pictures with the host under which its post was written (server/blog/image-address.ts at the time of this
 * migration).
 */
const withHost = /(^|[\s("'<=])https?:\/\/[\w.:[\]-]{1,260}\/blog\/images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/g;
const bare = (text: string): string => text.replace(withHost, "$1/blog/images/$2");

interface Post {
  id: string;
  content: string;
  cover: string | null;
}

/** Posts store only the paths of their pictures, so that a server with a new name still shows them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Post>`
    select id, content, cover from blog_posts where content like '%/blog/images/%' or cover like '%/blog/images/%'
  `.execute(db);
  for (const { id, content, cover } of rows) {
    await sql`
      update blog_posts set content = ${bare(content)}, cover = ${cover === null ? null : bare(cover)} where id = ${id}
    `.execute(db);
  }
}
