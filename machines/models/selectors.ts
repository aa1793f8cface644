import type { SnapshotFrom } from "xstate";
import type { AdminModel, ModelsAnswer } from "#contract/index.ts";
import type { ModelCommand } from "./events.ts";
import type { CommandFailure, modelsMachine } from "./machine.ts";
import type { ModelFilter, ModelNews } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof modelsMachine>;

/** Null before the first answer. */
export const selectAnswer = ({ context }: Snapshot): ModelsAnswer | null => context.answer;
/** An error code of the contract: nothing could be loaded. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches({ list: "failed" }) ? snapshot.context.error : null;
/** An error code of the contract: the list could not be updated. */
export const selectPollError = (snapshot: Snapshot): string | null =>
  snapshot.matches({ list: "shown" }) ? snapshot.context.error : null;
export const selectTarget = ({ context }: Snapshot): string => context.translatesInto;
export const selectFilter = ({ context }: Snapshot): ModelFilter => context.filter;
export const selectNews = ({ context }: Snapshot): readonly ModelNews[] => context.news;
/** The model whose removal needs a confirmation; null for none. */
export const selectAskedRemoval = (snapshot: Snapshot): AdminModel | null =>
  snapshot.matches({ commands: "asking" })
    ? (snapshot.context.answer?.models.find(({ id }) => id === snapshot.context.commands[0]?.id) ?? null)
    : null;
/** The running and waiting commands, without the one that needs a confirmation. */
export const selectCommands = (snapshot: Snapshot): readonly ModelCommand[] =>
  snapshot.matches({ commands: "asking" }) ? snapshot.context.commands.slice(1) : snapshot.context.commands;
export const selectFailures = ({ context }: Snapshot): Readonly<Record<string, CommandFailure>> => context.failures;
