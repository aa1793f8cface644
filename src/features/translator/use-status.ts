import { useSelector } from "@xstate/react";
import { selectPhase } from "#machines/dictation/selectors.ts";
import { selectStatus, type TranslatorStatus } from "#machines/translator/selectors.ts";
import type { Translator } from "./actor.ts";

/** What the translator does: while a turn is recorded, what its recorder does. */
export function useStatus({ actor, recorder }: Pick<Translator, "actor" | "recorder">): TranslatorStatus {
  const phase = useSelector(recorder.actor, selectPhase);
  return useSelector(actor, (snapshot) => selectStatus(snapshot, phase));
}

/** Its button stops what is under way. */
export const stoppable: readonly TranslatorStatus[] = ["askingForMicrophone", "listening", "paused", "offline"];
