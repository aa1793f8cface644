import * as v from "valibot";
import { captionLines, ExportContent, ExportFormat } from "#contract/index.ts";
import { type ExportChoice, usualChoice } from "#machines/exports/rules.ts";
import { createStore } from "#src/browser/store.ts";
import { stored } from "#src/browser/stored.ts";

const Choice = v.object({
  format: v.fallback(ExportFormat, usualChoice.format),
  content: v.fallback(ExportContent, usualChoice.content),
  speakers: v.fallback(v.boolean(), usualChoice.speakers),
  timed: v.fallback(v.array(ExportFormat), [...usualChoice.timed]),
  columns: v.fallback(v.string(), usualChoice.columns),
  lines: v.fallback(v.picklist(captionLines), usualChoice.lines),
});

const kept = stored<ExportChoice>("exportChoice", Choice);
const store = createStore(kept.read() ?? usualChoice);

/** The options of the last saved file, stored in this browser. */
export const exportChoice = {
  get: store.get,
  subscribe: store.subscribe,
  keep(choice: ExportChoice): void {
    if (choice === store.get()) return;
    store.set(choice);
    kept.keep(choice);
  },
};
