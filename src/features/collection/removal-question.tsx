import { useSelector } from "@xstate/react";
import { selectAsked } from "#machines/collection/selectors.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import type { ActorWith } from "./actor.ts";

interface RemovalQuestionProps<One> {
  actor: ActorWith<
    {
      tags: ReadonlySet<string>;
      context: { known: { items: readonly One[] } | null; chosen: string | null };
    },
    { type: "removal.confirmed" | "removal.dismissed" }
  >;
  say(key: "title" | "text" | "yes" | "no", asked: One): string;
}

/** Asks for confirmation before an item is removed. */
export function RemovalQuestion<One extends { id: string }>({ actor, say }: RemovalQuestionProps<One>) {
  const asked = useSelector(actor, selectAsked);
  if (asked === null) return null;
  return (
    <ConfirmDialog
      title={say("title", asked)}
      text={say("text", asked)}
      confirmLabel={say("yes", asked)}
      cancelLabel={say("no", asked)}
      onConfirm={() => actor.send({ type: "removal.confirmed" })}
      onCancel={() => actor.send({ type: "removal.dismissed" })}
    />
  );
}
