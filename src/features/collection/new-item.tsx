import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { selectCreated, selectIsWriting } from "#machines/collection/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import type { ActorWith } from "./actor.ts";

interface NewItemProps<New> {
  actor: ActorWith<{ tags: ReadonlySet<string>; context: { created: New | null } }, { type: "creation.requested" }>;
  /** Of the button that opens the form. */
  label: string;
  form: ReactNode;
  /** What is shown once of a new item; nothing by default. */
  secret?(created: New): ReactNode;
}

/** In one place: the button that opens the form of a new item, the form, and what is shown once of the item. */
export function NewItem<New>({ actor, label, form, secret }: NewItemProps<New>) {
  const writing = useSelector(actor, selectIsWriting);
  const created = useSelector(actor, selectCreated);
  const { begin, opener } = useEditingInPlace();
  const open = () => {
    begin();
    actor.send({ type: "creation.requested" });
  };
  if (writing) return form;
  if (created !== null) return secret?.(created);
  return (
    <div className="row">
      <Button ref={opener} icon="plus" onClick={open}>
        {label}
      </Button>
    </div>
  );
}
