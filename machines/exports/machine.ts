import { assign, emit, type SnapshotFrom, setup } from "xstate";
import type { ExportContent, ExportFormat } from "#contract/index.ts";
import { columnsIn, type ExportChoice, type ExportRequest, isCaptions, lookOf, usualChoice } from "./rules.ts";

export type ExportOptionsEvent =
  /** The person chooses the format of the file and its appearance. */
  | { type: "format.chosen"; format: ExportFormat }
  | { type: "content.chosen"; content: ExportContent }
  | { type: "speakers.toggled" }
  /** Times for the chosen format. */
  | { type: "times.toggled" }
  | { type: "columns.typed"; text: string }
  | { type: "lines.chosen"; lines: ExportChoice["lines"] }
  /** The person saves the file. */
  | { type: "file.requested" }
  /** The dialog was closed, with a file or without. */
  | { type: "dialog.closed" };

export type ExportOptionsEmitted = { type: "file.wanted"; wanted: ExportRequest };

interface ExportOptionsContext {
  choice: ExportChoice;
}

const toggled = (formats: readonly ExportFormat[], format: ExportFormat): readonly ExportFormat[] =>
  formats.includes(format) ? formats.filter((one) => one !== format) : [...formats, format];

/**
 * The options of a saved file. The choice is stored for the next file. A line length that is not a number is refused.
 */
export const exportsMachine = setup({
  types: {
    input: {} as { choice: ExportChoice },
    context: {} as ExportOptionsContext,
    events: {} as ExportOptionsEvent,
    emitted: {} as ExportOptionsEmitted,
    /** `flawed`: the line length is invalid. */
    tags: {} as "flawed",
  },
  actions: {
    choose: assign({ choice: ({ context }, part: Partial<ExportChoice>) => ({ ...context.choice, ...part }) }),
    toggleSpeakers: assign({ choice: ({ context: { choice } }) => ({ ...choice, speakers: !choice.speakers }) }),
    toggleTimes: assign({
      choice: ({ context: { choice } }) => ({ ...choice, timed: toggled(choice.timed, choice.format) }),
    }),
    /** An invalid line length is not stored. */
    restoreColumns: assign({
      choice: ({ context: { choice } }) => ({
        ...choice,
        columns: columnsIn(choice.columns) === null ? usualChoice.columns : choice.columns,
      }),
    }),
    emitRequest: emit(({ context: { choice } }): ExportOptionsEmitted => {
      const { format, content } = choice;
      return { type: "file.wanted", wanted: { format, content, look: lookOf(choice, format) } };
    }),
  },
  guards: {
    isFlawed: ({ context: { choice } }) => isCaptions(choice.format) && columnsIn(choice.columns) === null,
  },
}).createMachine({
  id: "exports",
  context: ({ input }) => ({ choice: input.choice }),
  initial: "choosing",
  on: {
    "format.chosen": {
      target: ".choosing",
      actions: { type: "choose", params: ({ event }) => ({ format: event.format }) },
    },
    "content.chosen": { actions: { type: "choose", params: ({ event }) => ({ content: event.content }) } },
    "speakers.toggled": { actions: "toggleSpeakers" },
    "times.toggled": { actions: "toggleTimes" },
    "columns.typed": { target: ".choosing", actions: { type: "choose", params: ({ event }) => ({ columns: event.text }) } },
    "lines.chosen": { actions: { type: "choose", params: ({ event }) => ({ lines: event.lines }) } },
    "file.requested": [{ guard: "isFlawed", target: ".refused" }, { actions: "emitRequest" }],
    "dialog.closed": { target: ".choosing", actions: "restoreColumns" },
  },
  states: {
    choosing: {},
    /** The person has to enter the line length again. */
    refused: { tags: "flawed" },
  },
});

type Snapshot = SnapshotFrom<typeof exportsMachine>;

export const selectChoice = (snapshot: Snapshot): ExportChoice => snapshot.context.choice;
/** Whether the line length is invalid. */
export const selectIsFlawed = (snapshot: Snapshot): boolean => snapshot.hasTag("flawed");
