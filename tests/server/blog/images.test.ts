import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { Kysely } from "kysely";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { ImageAnswer } from "#contract/index.ts";
import { up } from "#server/db/migrations/0030-blog-images-without-host.ts";
import { dialectOf, openSql } from "#tests/server/database.ts";
import { type Person, read, refusal, signInAgain, startTestServer, testClock } from "#tests/server/harness.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { publish, readPost } from "./posts.ts";

const dayMs = 24 * 60 * 60 * 1000;

async function setUp() {
  const clock = testClock();
  const server = await startTestServer({ now: clock.now });
  return { clock, server, superuser: await signUpSuperuser(server) };
}

function send(superuser: Person, bytes: Buffer | string, { type = "image/png", name = "x.png", field = "image" } = {}) {
  const form = new FormData();
  form.set(field, new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)], { type }), name);
  return superuser.call("POST", "/admin/blog/upload-image", form);
}

const kept = async (superuser: Person, bytes: Buffer) => read(await send(superuser, bytes), 201, ImageAnswer);
const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 40 } } });

async function shown(url: string) {
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { answer, bytes, about: await sharp(bytes).metadata() };
}

/** A PNG that claims these dimensions and has hardly any data. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

describe("picture of a post", () => {
  test.each(["png", "jpeg", "webp", "gif", "avif"] as const)(
    "shows an uploaded %s picture to everybody as WebP",
    async (format) => {
      const { server, superuser } = await setUp();
      const { imageUrl, width, height } = await kept(superuser, await drawn(300, 200).toFormat(format).toBuffer());
      expect(imageUrl).toMatch(new RegExp(`^${server.apiUrl}/blog/images/[\\da-f-]{36}$`));
      const { answer, about } = await shown(imageUrl);
      expect([width, height, about.format, about.width, about.height]).toEqual([300, 200, "webp", 300, 200]);
      expect(answer.headers.get("Content-Type")).toBe("image/webp");
      expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
      expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    },
  );

  // SPEC 7 Blog, admin (Bearer): "POST /admin/blog/upload-image"
  // PROMISE blog: Pictures are redrawn without their metadata
  test("turns a photo upright, shrinks it and removes its metadata", async () => {
    const { superuser } = await setUp();
    const exif = { IFD0: { Artist: "Ada Lovelace" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 31/1 0/1" } };
    const photo = await drawn(4000, 2000).withExif(exif).withMetadata({ orientation: 6, exif }).jpeg().toBuffer();
    expect(photo.includes("Ada Lovelace")).toBe(true);
    const { imageUrl, width, height } = await kept(superuser, photo);
    expect([width, height]).toEqual([1600, 3200]);
    const { bytes, about } = await shown(imageUrl);
    expect([about.width, about.height]).toEqual([1600, 3200]);
    expect([about.exif, about.icc, about.xmp, about.iptc, about.orientation].filter(Boolean)).toEqual([]);
    expect(bytes.includes("Ada Lovelace")).toBe(false);
  });

  test("turns an animated picture of a post into a still one", async () => {
    const { superuser } = await setUp();
    const frames = await Promise.all(["red", "blue"].map((background) => drawn(20, 20).tint(background).png().toBuffer()));
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(moving).metadata()).pages).toBe(2);
    const { imageUrl } = await kept(superuser, moving);
    expect((await shown(imageUrl)).about.pages ?? 1).toBe(1);
  });

  // SPEC 7 Blog, admin (Bearer): "POST /admin/blog/upload-image"
  test.each([
    [
      "an SVG drawing with a script",
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    ],
    [
      "an SVG drawing behind a declaration",
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
    ],
    ["an HTML page", "<!doctype html><script>alert(1)</script>"],
    ["a PDF", "%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>"],
    ["a text", "just words"],
    ["the beginning of a picture", "\u0089PNG\r\n"],
  ])("refuses %s, whatever content type the upload claims", async (_, content) => {
    const { server, superuser } = await setUp();
    for (const type of ["image/png", "image/svg+xml"]) {
      expect(await refusal(await send(superuser, Buffer.from(content, "latin1"), { type }))).toBe("422 notImage");
    }
    expect(await readdir(join(server.dataDir, "blog-images")).catch(() => [])).toEqual([]);
  });

  test("refuses a truncated picture and formats that browsers don't show", async () => {
    const { superuser } = await setUp();
    expect(await refusal(await send(superuser, await drawn(9, 9).tiff().toBuffer()))).toBe("422 notImage");
    const whole = await sharp({
      create: { width: 400, height: 400, channels: 3, noise: { type: "gaussian", mean: 99, sigma: 40 }, background: "red" },
    })
      .png()
      .toBuffer();
    expect(await refusal(await send(superuser, whole.subarray(0, whole.length / 2)))).toBe("422 notImage");
  });

  test("redraws a picture, so that a page hidden behind its bytes is gone", async () => {
    const { superuser } = await setUp();
    const picture = await drawn(9, 9).png().toBuffer();
    const { imageUrl } = await kept(superuser, Buffer.concat([picture, Buffer.from("<script>alert(1)</script>")]));
    expect((await shown(imageUrl)).bytes.includes("script")).toBe(false);
  });

  test("refuses a small file that claims huge dimensions", async () => {
    const { superuser } = await setUp();
    const picture = bomb(30_000, 30_000);
    expect(picture.length).toBeLessThan(200_000);
    expect(await refusal(await send(superuser, picture))).toBe("413 tooLarge");
    expect(await refusal(await send(superuser, bomb(40_001, 1000)))).toBe("413 tooLarge");
  });

  // SPEC 7 Blog, admin (Bearer): "POST /admin/blog/upload-image"
  test("refuses pictures above 10 MB, empty files and requests without a picture", async () => {
    const { superuser } = await setUp();
    const refused = async (bytes: Buffer | string, field = "image") => refusal(await send(superuser, bytes, { field }));
    expect(await refused(Buffer.alloc(11 * 1024 * 1024, 1))).toBe("413 tooLarge");
    expect(await refused("")).toBe("422 emptyFile");
    expect(await refused("x", "file")).toBe("400 badRequest");
    expect((await superuser.call("POST", "/admin/blog/upload-image", { image: "x" })).status).toBe(415);
  });

  test.each(["nothing", "..%2F..%2Fparlance.db", "0cdfb754-f86d-4d27-af95-3f6347b4659f"])(
    'answers "not found" for a picture at %s',
    async (id) => {
      const { server } = await setUp();
      expect((await fetch(`${server.apiUrl}/blog/images/${id}`)).status).toBe(404);
    },
  );

  test("shows a picture at the API's present address, wherever it was uploaded", async () => {
    const { server, superuser } = await setUp();
    const { imageUrl } = await kept(superuser, await drawn(30, 20).png().toBuffer());
    const there = imageUrl.replace(/^http:\/\/localhost:\d+/, "http://192.168.1.7:1234");
    const cover = { url: there, width: 30, height: 20, alt: "" };
    const { slug } = await publish(superuser, { content: `![a](${there}#30x20) and http://evil.example/x/blog/images/1`, cover });
    const found = await readPost(server, slug);
    expect(found.cover?.url).toBe(imageUrl);
    expect(found.content).toBe(`![a](${imageUrl}#30x20) and http://evil.example/x/blog/images/1`);
  });
});

test("stores a post's pictures without the host and adds the host for readers and editors", async () => {
  const { server, superuser } = await setUp();
  const { imageUrl } = await kept(superuser, await drawn(30, 20).png().toBuffer());
  const path = imageUrl.slice(server.apiUrl.length);
  const cover = { url: imageUrl, width: 30, height: 20, alt: "" };
  const content = `![a](${imageUrl}#30x20) and https://elsewhere.example/pictures/1.png`;
  const { id, slug } = await publish(superuser, { content, cover });
  const stored = () => {
    using db = openSql(server.dataDir);
    return db.prepare("select content, cover from blog_posts where id = ?").get(id);
  };
  const bare = {
    content: `![a](${path}#30x20) and https://elsewhere.example/pictures/1.png`,
    cover: JSON.stringify({ ...cover, url: path }),
  };
  expect(stored()).toEqual(bare);
  // The editor keeps the answer as the saved version, so it has to equal the request.
  const saved = await (await superuser.call("PUT", `/admin/blog/${id}`, { content, cover })).json();
  expect([saved.content, saved.cover]).toEqual([content, cover]);
  expect(stored()).toEqual(bare);
  expect(await readPost(server, slug)).toMatchObject({ content, cover });
});

test("a migration removes the host from pictures in older posts", async () => {
  const { server, superuser } = await setUp();
  const { id } = await publish(superuser);
  const uuid = "0cdfb754-f86d-4d27-af95-3f6347b4659f";
  const there = `https://old.example:8443/blog/images/${uuid}`;
  const text = `![a](${there}#30x20)\n<img src="${there}"> https://old.example/blog/images/none`;
  const cover = JSON.stringify({ url: there, width: 30, height: 20, alt: "" });
  using stored = openSql(server.dataDir);
  stored.prepare("update blog_posts set content = ?, cover = ? where id = ?").run(text, cover, id);
  await using db = new Kysely<unknown>({ dialect: dialectOf(server.dataDir) });
  await up(db);
  const row = stored.prepare("select content, cover from blog_posts where id = ?").get(id);
  const path = `/blog/images/${uuid}`;
  expect(row?.content).toBe(`![a](${path}#30x20)\n<img src="${path}"> https://old.example/blog/images/none`);
  expect(row?.cover).toBe(JSON.stringify({ url: path, width: 30, height: 20, alt: "" }));
});

test("deletes pictures two weeks after the last post stopped showing them", async () => {
  const { clock, server, superuser } = await setUp();
  const picture = await drawn(30, 20).png().toBuffer();
  const [used, covering, unused] = [
    await kept(superuser, picture),
    await kept(superuser, picture),
    await kept(superuser, picture),
  ];
  const cover = { url: covering.imageUrl, width: 30, height: 20, alt: "" };
  const { id } = await publish(superuser, { content: `![a](${used.imageUrl})`, cover });
  const statuses = async () => Promise.all([used, covering, unused].map(async ({ imageUrl }) => (await fetch(imageUrl)).status));
  clock.advance(13 * dayMs);
  await server.sweep();
  expect(await statuses()).toEqual([200, 200, 200]);
  clock.advance(2 * dayMs);
  await server.sweep();
  expect(await statuses()).toEqual([200, 200, 404]);
  await (await signInAgain(server, superuser)).call("PUT", `/admin/blog/${id}`, { cover: null });
  clock.advance(13 * dayMs);
  await server.sweep();
  expect(await statuses()).toEqual([200, 200, 404]);
  clock.advance(2 * dayMs);
  await server.sweep();
  expect(await statuses()).toEqual([200, 404, 404]);
  await (await signInAgain(server, superuser)).call("DELETE", `/admin/blog/${id}`);
  clock.advance(15 * dayMs);
  await server.sweep();
  expect(await statuses()).toEqual([404, 404, 404]);
  expect(await readdir(join(server.dataDir, "blog-images"))).toEqual([]);
  using db = openSql(server.dataDir);
  expect(db.prepare("select count(*) as left from blog_images").get()).toEqual({ left: 0 });
});
