import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EnginesAnswer, ModelsAnswer, TranslationAnswer } from "#contract/index.ts";
import { readConfig } from "#server/config/config.ts";
import { startServer } from "#server/start.ts";
import { writeTinyVoice } from "#tests/fixtures/tiny-voice.ts";
import { eventually, read, signUp, temporaryFolder } from "#tests/server/harness.ts";
import { scriptedEngines } from "#tests/server/jobs/scripted.ts";
import { quickPasswords } from "#tests/server/quick-passwords.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { writeTinyMarian } from "#tests/server/translation/tiny-marian.ts";

// PROMISE speech: Other languages work as soon as their model is installed
test("a translation model and a voice work at once when they are put into the data folder", async () => {
  const dataDir = await temporaryFolder();
  const config = readConfig({ PORT: "0", WEB_PORT: "0", PARLANCE_DATA: dataDir, LOG_LEVEL: "silent" });
  const server = await startServer(config, {
    print: () => {},
    engines: scriptedEngines(),
    passwords: quickPasswords,
  });
  onTestFinished(() => server.close());
  const person = await signUp(server);
  const engines = async () => read(await fetch(`${server.apiUrl}/api/v1/engines`), 200, EnginesAnswer);
  const toSpanish = async () => {
    const answer = await person.call("POST", "/api/v1/translations", { text: "big house\n\nhouse", source: "en", target: "es" });
    return (await read(answer, 200, TranslationAnswer)).text;
  };
  expect((await engines()).translation.pairs).not.toContainEqual({ source: "en", target: "es", engine: "bergamot" });

  await writeTinyMarian(join(dataDir, "models", "mine"), {
    source: "en",
    target: "es",
    words: { "▁house": "▁est", "▁big": "▁grand" },
  });
  await writeTinyVoice(join(dataDir, "models", "vits-tiny-es"));
  await eventually(
    async () => (await engines()).translation.pairs,
    (pairs) => pairs.some((pair) => pair.source === "en" && pair.target === "es" && pair.engine === "bergamot"),
  );
  expect(await toSpanish()).toBe("grand est\n\nest");
  const wav = await person.call("POST", "/api/v1/speech", { text: "Hola", language: "es" });
  expect(Buffer.from(await wav.arrayBuffer()).readUInt32LE(24)).toBe(16_000);

  const superuser = await signUpSuperuser({ ...server, dataDir });
  const { translation, voices } = await read(await superuser.call("GET", "/admin/models"), 200, ModelsAnswer);
  expect(translation?.find(({ source, target }) => source === "en" && target === "es")?.engines).toEqual([
    { id: "bergamot", name: "Bergamot" },
    { id: "apertium", name: "Apertium" },
  ]);
  expect(voices).toEqual([
    {
      language: "es",
      candidates: [
        { id: "vits-tiny-es", name: "vits-tiny-es" },
        { id: "espeak", name: "eSpeak NG" },
      ],
      chosen: "vits-tiny-es",
    },
  ]);
  const chosen = { translation: { "en>es": ["apertium"] }, voices: { es: "espeak" } };
  expect((await superuser.call("PUT", "/admin/models/choices", chosen)).status).toBe(200);
  expect(await toSpanish()).toBe("casa grande\n\ncasa");
  const spoken = await person.call("POST", "/api/v1/speech", { text: "Hola", language: "es" });
  expect(Buffer.from(await spoken.arrayBuffer()).readUInt32LE(24)).toBe(22_050);
});
