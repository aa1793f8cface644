import { Hono } from "hono";
import type { InferOutput } from "valibot";
import { type EngineInfo, EnginesAnswer, TranslationAnswer, TranslationRequest } from "#contract/index.ts";
import type { DeviceTranslations } from "#server/device-models/translations.ts";
import { Problem } from "#server/errors/problem.ts";
import { bearerOf } from "#server/http/bearer.ts";
import { readJson } from "#server/http/body.ts";
import { type Concurrency, translationConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { readsBody } from "#server/http/limits.ts";
import { describes } from "#server/http/operations.ts";
import type { LanguageModel } from "#server/insights/language-model.ts";
import { findSignedIn } from "#server/session/queries.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import type { SpeechSynthesizer } from "#server/speech/espeak.ts";
import type { Diarizer, SpeechEngines } from "#server/speech/index.ts";
import type { Translator } from "#server/transcription/translator.ts";
import type { Translation } from "#server/translation/index.ts";

interface Parts extends AccessParts {
  config: { maxUploadBytes: number };
  engines: SpeechEngines;
  translation: Translation;
  deviceTranslations: Pick<DeviceTranslations, "bytesOf">;
  translator: Translator;
  diarizer: Diarizer;
  synthesizer: SpeechSynthesizer;
  /** Undefined: none is set up. */
  languageModel: LanguageModel | undefined;
  concurrency: Concurrency;
}

/** 200,000 characters of JSON, four bytes each at most. */
const translationBytes = 1024 * 1024;

const listEngines = { id: "listEngines", tag: "server", scope: null, json: EnginesAnswer } as const;
const translate = {
  id: "translate",
  tag: "translations",
  scope: "translations",
  body: TranslationRequest,
  json: TranslationAnswer,
} as const;

/** Available engines, and translation of single texts. */
export function engineRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);

  app.get("/api/v1/engines", describes(listEngines), async (c) => {
    // Engine errors contain URLs and paths of the server: for the operator only.
    const shown = (await isSuperuser(deps, c.req.header("authorization"))) ? (info: EngineInfo) => info : withoutDetail;
    const answer: InferOutput<typeof EnginesAnswer> = {
      speech: { engines: deps.engines.infos().map(shown), ...speechOf(deps) },
      translation: { engines: deps.translation.infos().map(shown), pairs: pairsOf(deps) },
      ...(deps.synthesizer.languages === undefined ? {} : { aloud: { languages: [...deps.synthesizer.languages] } }),
      ...(deps.languageModel === undefined ? {} : { insights: true }),
      limits: { maxUploadBytes: deps.config.maxUploadBytes },
    };
    return c.json(answer);
  });

  app.post("/api/v1/translations", access(translate), readsBody(translationBytes), async (c) => {
    const { signal } = c.req.raw;
    const work = async () => {
      const { text, source, target } = await readJson(c, TranslationRequest);
      if (!deps.translator.supports(source, target)) throw new Problem("translationUnavailable");
      return deps.translator.translateText(text, source, target, { person: c.var.user.id, signal });
    };
    const answer: InferOutput<typeof TranslationAnswer> = {
      text: await deps.concurrency.run(translationConcurrency, c.var.user.id, signal, work),
    };
    return c.json(answer);
  });
  return app;
}

/** With its models, speakers are identified in every language. */
function speechOf({ engines, diarizer }: Pick<Parts, "engines" | "diarizer">) {
  const languages = engines.options();
  if (!diarizer.isAvailable()) return { languages };
  return { languages: languages.map((option) => (option.available ? { ...option, speakers: true } : option)), diarizes: true };
}

function pairsOf({ translation, deviceTranslations }: Pick<Parts, "translation" | "deviceTranslations">) {
  return translation.pairs().map((pair) => {
    const deviceBytes = deviceTranslations.bytesOf(pair);
    return deviceBytes === undefined ? pair : { ...pair, deviceBytes };
  });
}

async function isSuperuser(deps: Parts, header: string | undefined): Promise<boolean> {
  const token = bearerOf(header);
  const claims = token === undefined ? undefined : await deps.tokens.verify(token);
  const user = claims === undefined ? undefined : await findSignedIn(deps.db, claims.sub, claims.sid);
  return user?.is_superuser === 1;
}

function withoutDetail({ id, name, offline, available }: EngineInfo): EngineInfo {
  return { id, name, offline, available };
}
