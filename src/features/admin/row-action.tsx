import { useSelector } from "@xstate/react";
import type { ComponentProps, MouseEvent } from "react";
import { selectAskedRowAction } from "#machines/admin/row-actions.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import type { RowActionsActor } from "./inbox-actor.ts";

interface RowActionQuestionProps {
  actions: RowActionsActor;
  texts: Omit<ComponentProps<typeof ConfirmDialog>, "onConfirm" | "onCancel">;
}

/** Asks for confirmation before an action on a row. */
export function RowActionQuestion({ actions, texts }: RowActionQuestionProps) {
  if (useSelector(actions, selectAskedRowAction) === null) return null;
  return (
    <ConfirmDialog
      {...texts}
      onConfirm={() => actions.send({ type: "rowAction.confirmed" })}
      onCancel={() => actions.send({ type: "rowAction.dismissed" })}
    />
  );
}

/** Moves the focus to the section's heading, because the button disappears with its row. */
export const focusSection = ({ currentTarget }: MouseEvent) => currentTarget.closest("section")?.querySelector("h2")?.focus();
