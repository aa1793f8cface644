import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { LoginAnswer } from "#contract/index.ts";
import { digestOf } from "#server/blog/plain-text.ts";
import { asPerson, base, post, read, startTestServer } from "#tests/server/harness.ts";
import { history } from "#tests/server/transcription/saved.ts";
import { listed, readPost } from "./posts.ts";

test("--demo creates sample posts and a sample transcription only once", async () => {
  let password = "";
  const print = (line: string) => {
    password = /password: (\S+)/.exec(line)?.[1] ?? password;
  };
  const first = await startTestServer({ demo: true, print });
  const { posts, facets } = await listed(first);
  const written = await readdir(new URL("../../../server/demo/posts/", import.meta.url));
  expect(posts).toHaveLength(written.length);
  expect(facets?.languages.map(({ language }) => language).toSorted()).toEqual(["de", "en", "es", "fr", "pt-BR"]);
  for (const { slug, summary, topics } of posts) {
    const { content, author } = await readPost(first, slug);
    expect(topics[0]).toMatch(/^(Sample|Beispiel|Ejemplo|Exemple|Exemplo)$/);
    expect(content).toMatch(/`npm start -- --demo`[^\n]*[*_]\n?$/);
    expect(summary.length).toBeGreaterThan(40);
    expect(author).toBeNull();
    const words = content.split(/\s+/).length;
    expect(words > 250 && words < 500 && digestOf(content).minutes > 0).toBe(true);
  }
  await first.close();

  const again = await startTestServer({ demo: true, dataDir: first.dataDir });
  expect((await listed(again)).total).toBe(posts.length);
  const { accessToken } = await read(
    await post(again, "/auth/login", { email: "superuser@parlance.local", password }),
    200,
    LoginAnswer,
  );
  const superuser = asPerson(again, accessToken);
  const { data } = await history(superuser);
  expect(data).toMatchObject([{ title: "Sample: John F. Kennedy, 1961", status: "completed", targetLanguage: "es" }]);
  const audio = await superuser.call("GET", `${base}/transcription/${data[0]?.id}/audio`);
  expect([audio.status, audio.headers.get("Content-Type")]).toEqual([200, "audio/mpeg"]);
});

test("creates no sample posts without --demo", async () => {
  expect((await listed(await startTestServer())).total).toBe(0);
});
