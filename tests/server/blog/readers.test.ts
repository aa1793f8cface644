import { describe, expect, test } from "vitest";
import { ReactionAnswer } from "#contract/index.ts";
import { openSql } from "#tests/server/database.ts";
import { post, read, refusal, startTestServer, testClock } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { publish, readPost } from "./posts.ts";

// Each reader has one like per post. A made-up id in the body does not count as another reader (server/blog/reader.ts).

const dayMs = 24 * 60 * 60 * 1000;
const name = (number: number) => `invented-${number}`;

async function setUp(env: Record<string, string> = {}) {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now, env });
  const superuser = await signUpSuperuser(server);
  const say = (id: string, reaction: string, userId: string, headers: Record<string, string> = {}) =>
    post(server, `/blog/${id}/${reaction}`, { userId }, headers);
  return { clock, server, superuser, say, post: await publish(superuser) };
}

/** The cookie that a browser would send back. */
const cookieOf = (answer: Response) => ({ Cookie: answer.headers.get("Set-Cookie")?.split(";", 1)[0] ?? "" });

describe("reader of the blog", () => {
  test("counts one browser with the signed cookie as one reader, whatever ids it sends", async () => {
    const { server, say, post } = await setUp();
    const first = await say(post.id, "like", "reader-0001");
    const cookie = cookieOf(first);
    for (let i = 0; i < 20; i++) expect((await say(post.id, "like", name(i), cookie)).status).toBe(200);
    expect(await readPost(server, post.slug)).toMatchObject({ likes: 1 });
    const changed = await say(post.id, "dislike", "somebody-else", cookie);
    expect(await read(changed, 200, ReactionAnswer)).toEqual({ likes: 0, dislikes: 1, reaction: "dislike" });
    expect(changed.headers.get("Set-Cookie")).toBeNull();
    await say(post.id, "remove-reaction", "reader-0001", cookie);
    expect(await readPost(server, post.slug)).toMatchObject({ likes: 0, dislikes: 0 });
  });

  // PROMISE blog: Reactions and views count once; the reader is forgotten
  test("counts one view of a post a day for the same cookie", async () => {
    const { clock, server, say, post } = await setUp();
    await say(post.id, "view", "reader-0001");
    const cookie = cookieOf(await say(post.id, "like", "reader-0001"));
    for (let i = 0; i < 5; i++) expect((await say(post.id, "view", name(i), cookie)).status).toBe(200);
    expect(await readPost(server, post.slug)).toMatchObject({ views: 1 });
    await say(post.id, "view", "reader-0002");
    expect(await readPost(server, post.slug)).toMatchObject({ views: 2 });
    clock.advance(dayMs);
    for (let i = 0; i < 5; i++) await say(post.id, "view", name(i), cookie);
    expect(await readPost(server, post.slug)).toMatchObject({ views: 3 });
  });

  test("identifies a reader without a cookie by the id in the body", async () => {
    const { server, say, post } = await setUp();
    await say(post.id, "like", "reader-0001");
    await say(post.id, "like", "reader-0001");
    await say(post.id, "like", "reader-0002");
    expect(await readPost(server, post.slug)).toMatchObject({ likes: 2 });
    await say(post.id, "remove-reaction", "reader-0001");
    expect(await readPost(server, post.slug)).toMatchObject({ likes: 1 });
  });

  test("treats a forged reader cookie like no cookie", async () => {
    const { server, say, post } = await setUp();
    const real = cookieOf(await say(post.id, "like", "reader-0001")).Cookie;
    const forged = { Cookie: `${real.slice(0, -8)}AAAAAAAA` };
    const answer = await say(post.id, "like", "reader-0002", forged);
    expect(answer.headers.get("Set-Cookie")).toContain("parlance_reader=");
    expect(await readPost(server, post.slug)).toMatchObject({ likes: 2 });
  });

  test("the reader cookie is HttpOnly and under https works from a page on another host", async () => {
    const local = await setUp();
    const plain = (await local.say(local.post.id, "like", "reader-0001")).headers.get("Set-Cookie") ?? "";
    expect(plain).toMatch(/^parlance_reader=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
    const env = { PUBLIC_URL: "https://page.example", API_URL: "https://api.example" };
    const far = await setUp(env);
    const answer = await far.say(far.post.id, "like", "reader-0001", { Origin: "https://page.example" });
    expect(answer.headers.get("Access-Control-Allow-Credentials")).toBe("true");
    const set = answer.headers.get("Set-Cookie") ?? "";
    expect(set.startsWith("__Host-parlance_reader=")).toBe(true);
    for (const part of ["Secure", "HttpOnly", "SameSite=None", "Partitioned", "Path=/"]) expect(set).toContain(part);
  });
});

describe("made-up reader ids", () => {
  test("accepts at most ten new readers of a post a day from one network", async () => {
    const { clock, server, say, post } = await setUp();
    const answers: string[] = [];
    for (let i = 0; i < 15; i++) {
      const answer = await say(post.id, "like", name(i));
      answers.push(answer.ok ? "200" : await refusal(answer));
    }
    expect(answers).toEqual([...Array(10).fill("200"), ...Array(5).fill("429 tooManyRequests")]);
    expect(await readPost(server, post.slug)).toMatchObject({ likes: 10 });
    const refused = await say(post.id, "like", name(11));
    expect(Number(refused.headers.get("Retry-After"))).toBe(12 * 60 * 60);
    expect((await say(post.id, "dislike", name(3))).status).toBe(200);
    expect((await say(post.id, "remove-reaction", name(12))).status).toBe(200);
    expect(await readPost(server, post.slug)).toMatchObject({ likes: 9, dislikes: 1 });
    clock.advance(dayMs);
    expect((await say(post.id, "like", name(12))).status).toBe(200);
  });

  test("accepts only ten new readers from one network when thirty come at once", async () => {
    const { server, say, post } = await setUp();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => say(post.id, "like", name(i))));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    expect(await readPost(server, post.slug)).toMatchObject({ likes: 10 });
  });

  test("accepts fifty new readers from one network over all posts", async () => {
    const { server, superuser, say, post } = await setUp();
    const cookies: Record<string, string>[] = [];
    for (let each = 0; each < 5; each++) {
      const { id } = await publish(superuser);
      for (let i = 0; i < 10; i++) cookies.push(cookieOf(await say(id, "like", name(each * 10 + i))));
    }
    expect(await refusal(await say(post.id, "like", name(99)))).toBe("429 tooManyRequests");
    const known = await Promise.all(cookies.map((cookie) => say(post.id, "like", "any-name-at-all", cookie)));
    expect(known.filter(({ ok }) => ok)).toHaveLength(50);
    expect(await readPost(server, post.slug)).toMatchObject({ likes: 50 });
  });

  test("deletes the network of a reaction when the day is over", async () => {
    const { clock, server, say, post } = await setUp();
    await say(post.id, "like", "reader-0001");
    const networks = () => {
      using db = openSql(server.dataDir);
      return db
        .prepare("select network from blog_reactions")
        .all()
        .map(({ network }) => network);
    };
    expect(networks()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    clock.advance(3 * dayMs);
    await server.sweep();
    expect(networks()).toEqual([null]);
    expect(await readPost(server, post.slug)).toMatchObject({ likes: 1 });
  });
});
