import { useSelector } from "@xstate/react";
import { selectPhase } from "#machines/dictation/selectors.ts";
import { selectStatus, type TranslatorStatus } from "#machines/translator/selectors.ts";
import type { Translator } from "./actor.ts";

/** The translator's status. While a turn is recorded, the recorder's status. */
export function useStatus({ actor, recorder }: Pick<Translator, "actor" | "recorder">): TranslatorStatus {
  const phase = useSelector(recorder.actor, selectPhase);
  return useSelector(actor, (snapshot) => selectStatus(snapshot, phase));
}

/** The statuses in which the button stops the current work. */
export const stoppable: readonly TranslatorStatus[] = ["askingForMicrophone", "listening", "paused", "offline"];
