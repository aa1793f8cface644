import {
  type FolderTemplateDraft,
  Insight,
  InsightDeletion,
  InsightEvent,
  type InsightMaking,
  type InsightRequest,
  InsightsAnswer,
  type TaskChange,
  type TemplateDraft,
  TemplatesAnswer,
} from "#contract/index.ts";
import type { Call, Send } from "./http.ts";
import { transcriptionPath } from "./paths.ts";
import { failureCode, readWorkStream, requestWork } from "./work-stream.ts";

const pathOf = (id: string) => `${transcriptionPath(id)}/insights`;

/** The calls about insights that a language model generates from a transcript. All of them throw ApiError. */
export function createInsightsApi(call: Call, send: Send) {
  const one = (id: string, insight: string) => `${pathOf(id)}/${encodeURIComponent(insight)}`;
  return {
    list: (id: string, signal?: AbortSignal) => call(pathOf(id), { schema: InsightsAnswer, signal }),
    /**
     * Generates an insight. Resolves after the last event. Aborting stops the server's work.
     * @param onEvent receives all events in order
     */
    make: async (
      id: string,
      request: InsightRequest,
      signal: AbortSignal,
      onEvent: (event: InsightMaking) => void,
    ): Promise<void> => {
      const answer = await requestWork(send, pathOf(id), request, signal);
      await readWorkStream(answer, InsightEvent, (event) => {
        const making = makingOf(event);
        onEvent(making);
        return making.type === "insight.came" || making.type === "making.failed";
      });
    },
    changeTask: (id: string, insight: string, json: TaskChange, signal?: AbortSignal) =>
      call(one(id, insight), { method: "PATCH", json, schema: Insight, signal }),
    remove: async (id: string, insight: string, signal?: AbortSignal): Promise<void> => {
      await call(one(id, insight), { method: "DELETE", schema: InsightDeletion, signal });
    },
  };
}

function makingOf(event: InsightEvent): InsightMaking {
  if ("progress" in event) return { type: "progress.came", progress: event.progress };
  if ("point" in event) return { type: "point.came", point: event.point };
  if ("insight" in event) return { type: "insight.came", insight: event.insight };
  return { type: "making.failed", code: failureCode(event.error.code) };
}

const templatesPath = "/users/me/insight-templates";

/** The calls about the user's own templates. Each throws ApiError, and answers with all templates. */
export function createTemplatesApi(call: Call) {
  const one = (id: string) => `${templatesPath}/${encodeURIComponent(id)}`;
  const schema = TemplatesAnswer;
  return {
    list: (signal?: AbortSignal) => call(templatesPath, { schema, signal }),
    add: (json: TemplateDraft, signal?: AbortSignal) => call(templatesPath, { json, schema, signal }),
    replace: (id: string, json: TemplateDraft, signal?: AbortSignal) => call(one(id), { method: "PUT", json, schema, signal }),
    remove: (id: string, signal?: AbortSignal) => call(one(id), { method: "DELETE", schema, signal }),
    /** @param json `null`: summaries in this folder use no special template */
    setDefault: (folderId: string, json: FolderTemplateDraft, signal?: AbortSignal) =>
      call(`${templatesPath}/folders/${encodeURIComponent(folderId)}`, { method: "PUT", json, schema, signal }),
  };
}
