import * as v from "valibot";
import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { GeneratedHead, PostLength, TextLanguage, Tone } from "#contract/index.ts";
import { generatorMachine, type PersistedGeneration, type Written } from "#machines/blog-admin/generator/machine.ts";
import { selectIsLoadingStats } from "#machines/blog-admin/generator/selectors.ts";
import { createBlogGenerationApi } from "#src/api/blog-admin.ts";
import { ApiError } from "#src/api/http.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { storage } from "#src/browser/storage.ts";
import { waitBriefly } from "#src/browser/wait-briefly.ts";
import { call, send } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { i18n } from "#src/i18n/index.ts";
import { blogAdminRoutes, isBlogAdminShown } from "./admin-routes.ts";
import { blogAdminApi } from "./posts-actor.ts";

const api = createBlogGenerationApi(call, send);

const machine = generatorMachine.provide({
  actors: {
    generate: fromCallback(({ input, sendBack }) => {
      const called = new AbortController();
      api.generate(input.mode, input.form, called.signal, sendBack).catch((error: unknown) => {
        if (!called.signal.aborted) sendBack({ type: "generation.failed", failure: failureOf(error) });
      });
      return () => called.abort();
    }),
    save: fromPromise(({ input, signal }) => save(input.written, signal)),
    loadStats: fromPromise(({ signal }) => api.stats(signal)),
  },
});
export type Generator = ActorRefFrom<typeof machine>;

function failureOf(error: unknown) {
  if (!(error instanceof ApiError)) return { code: "internal", detail: null };
  // The model server's own message helps the person who configured it.
  return { code: error.code, detail: error.code === "chatFailed" ? error.message : null };
}

async function save(written: Written, signal: AbortSignal): Promise<string> {
  const { head, text: content, language } = written;
  const draft = { ...head, content, language, generated: true, status: "draft" } as const;
  const { id } = await blogAdminApi.create(draft, signal);
  return id;
}

const Form = v.object({
  topic: v.string(),
  tone: Tone,
  language: TextLanguage,
  length: PostLength,
  audience: v.string(),
});
const Persisted = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    form: Form,
    written: v.nullable(v.object({ head: GeneratedHead, text: v.string(), language: v.string(), complete: v.boolean() })),
  }),
);

/** The request and its result. Persisted over reloads, and while other users are signed in. */
function persistenceFor(owner: string) {
  const key = `draft:${owner}:generator`;
  return {
    read: (): PersistedGeneration => {
      const persisted = v.safeParse(Persisted, storage.read(key));
      const form = { topic: "", tone: "friendly", language: i18n.language, length: "medium", audience: "" } as const;
      return persisted.success ? persisted.output : { form, written: null };
    },
    write: (generation: PersistedGeneration) => {
      if (generation.written === null && generation.form.topic === "" && generation.form.audience === "") storage.remove(key);
      else storage.write(key, JSON.stringify(generation));
    },
  };
}

interface OpenGenerator {
  actor: Generator;
  end(): void;
}
const generators = perOwner<OpenGenerator>({ end: (open) => open.end() });

/**
 * Opens the page's generator. Returns the same one until the user leaves the page. Resolves when it is known whether
 * the server has a model, because the setup instructions come first on the page.
 */
export async function openGenerator(): Promise<Generator> {
  const { actor } = generators.open((owner) => createGenerator(owner ?? ""));
  await waitBriefly(actor, (snapshot) => !selectIsLoadingStats(snapshot));
  return actor;
}

function createGenerator(owner: string): OpenGenerator {
  const persistence = persistenceFor(owner);
  const persist = ({ context: { form, written } }: { context: PersistedGeneration }) => persistence.write({ form, written });
  const actor = createActor(machine.provide({ actions: { persist } }), { ...inspected(), input: persistence.read() });
  actor.on("draft.saved", ({ id }) => void openEditor(id));
  const hide = () => actor.send({ type: "page.hidden" });
  globalThis.addEventListener("pagehide", hide);
  const end = () => {
    globalThis.removeEventListener("pagehide", hide);
    hide();
    actor.stop();
  };
  return { actor: actor.start(), end };
}

/** Called when the user leaves the page. Aborts generation and keeps its result for the next visit. */
export function leaveGenerator(): void {
  // Switching to the other prefix keeps the actor.
  if (!isBlogAdminShown("generator")) generators.close();
}

/** Opens the editor with the draft. */
async function openEditor(id: string): Promise<void> {
  if (!isBlogAdminShown("generator")) return;
  await pageRouter().navigate({ to: blogAdminRoutes().editor, search: { id } });
}
