import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { ErrorBody, VocabularyAnswer, vocabularyLimits } from "#contract/index.ts";
import { type Person, read, refusal, signUp, startTestServer } from "#tests/server/harness.ts";
import { unzipped } from "#tests/server/zip.ts";

const path = "/users/me/vocabulary";
const mine = async (person: Person) => read(await person.call("GET", path), 200, VocabularyAnswer);
const put = (person: Person, text: string, revision: number) => person.call("PUT", path, { text, revision });
const lines = (count: number) => Array.from({ length: count }, (_, at) => `Name ${at}`).join("\n");

describe("PUT /users/me/vocabulary", () => {
  test("stores a vocabulary exactly as written for its owner only", async () => {
    const server = await startTestServer();
    const [person, other] = [await signUp(server), await signUp(server)];
    expect(await mine(person)).toEqual({ text: "", revision: 0 });
    const text = "Ada Lovelace\nczekaj → Czekaj\n\n  Zażółć  ";
    expect(await read(await put(person, text, 0), 200, VocabularyAnswer)).toEqual({ text, revision: 1 });
    expect(await read(await put(person, `${text}!`, 1), 200, VocabularyAnswer)).toEqual({ text: `${text}!`, revision: 2 });
    expect(await mine(person)).toEqual({ text: `${text}!`, revision: 2 });
    expect(await mine(other)).toEqual({ text: "", revision: 0 });
    expect((await fetch(`${server.apiUrl}${path}`)).status).toBe(401);
  });

  test("refuses to overwrite a vocabulary that was changed elsewhere", async () => {
    const person = await signUp(await startTestServer());
    await read(await put(person, "first", 0), 200, VocabularyAnswer);
    expect(await refusal(await put(person, "second", 0))).toBe("409 conflict");
    expect(await refusal(await put(person, "second", 7))).toBe("409 conflict");
    expect(await mine(person)).toEqual({ text: "first", revision: 1 });
  });

  test("keeps one of several simultaneous first vocabularies and refuses the others", async () => {
    const person = await signUp(await startTestServer());
    const answers = await Promise.all(["one", "two", "three"].map((text) => put(person, text, 0)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect((await mine(person)).revision).toBe(1);
  });

  test.each([
    [lines(vocabularyLimits.lines), 200, ""],
    [lines(10_000), 400, "10000 lines, and 2000 at most"],
    ["Ab\n".repeat(10_000), 400, "2000 at most are saved. Keep the names"],
    [Array.from({ length: 400 }, () => "x".repeat(160)).join("\n"), 400, "characters, and 60000 at most"],
    [`fine\n${"x".repeat(201)}`, 400, "Line 2 of the vocabulary has 201 characters, and 200 at most"],
  ])("enforces the vocabulary's limits and names the exceeded one (%#)", async (text, status, message) => {
    const person = await signUp(await startTestServer());
    const answer = await put(person, text, 0);
    expect(answer.status).toBe(status);
    if (status === 400) expect(v.parse(ErrorBody, await answer.json()).message).toContain(message);
    expect((await mine(person)).text).toBe(status === 200 ? text : "");
  });

  test("refuses an oversized vocabulary before reading it", async () => {
    const person = await signUp(await startTestServer());
    expect(await refusal(await put(person, "x".repeat(vocabularyLimits.bytes), 0))).toBe("413 tooLarge");
  });

  test("stores a vocabulary with the most characters, whatever the script", async () => {
    const person = await signUp(await startTestServer());
    for (const [at, letter] of ["語", "\u0001"].entries()) {
      const text = Array.from({ length: 300 }, () => letter.repeat(199)).join("\n");
      await read(await put(person, text, at), 200, VocabularyAnswer);
    }
  });

  test("exports the vocabulary and deletes it with the account", async () => {
    const server = await startTestServer();
    const person = await signUp(server);
    await read(await put(person, "Ada\ncloud → Claude", 0), 200, VocabularyAnswer);
    const files = unzipped(Buffer.from(await (await person.call("GET", "/users/me/export")).arrayBuffer()));
    expect(JSON.parse(String(files.get("account.json")))).toMatchObject({ vocabulary: "Ada\ncloud → Claude" });
    expect((await person.call("DELETE", "/users/me", { password: "correct horse" })).status).toBe(204);
  });
});
