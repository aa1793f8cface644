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
  texts(asked: One): Record<"title" | "text" | "yes" | "no", string>;
}

/** Asks before an item is gone. */
export function RemovalQuestion<One extends { id: string }>({ actor, texts }: RemovalQuestionProps<One>) {
  const asked = useSelector(actor, selectAsked);
  if (asked === null) return null;
  const { title, text, yes, no } = texts(asked);
  return (
    <ConfirmDialog
      title={title}
      text={text}
      confirmLabel={yes}
      cancelLabel={no}
      onConfirm={() => actor.send({ type: "removal.confirmed" })}
      onCancel={() => actor.send({ type: "removal.dismissed" })}
    />
  );
}
