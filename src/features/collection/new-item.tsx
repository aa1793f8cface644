import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { selectCreated, selectIsWriting } from "#machines/collection/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import type { ActorWith } from "./actor.ts";

interface NewItemProps<New> {
  actor: ActorWith<{ tags: ReadonlySet<string>; context: { created: New | null } }, { type: "creation.requested" }>;
  /** The label of the button that opens the form. */
  label: string;
  form: ReactNode;
  /** Renders a new item's secret, which is shown only once. Absent: items have no secret. */
  secret?(created: New): ReactNode;
}

/** Shows, in one place, the button that opens the form, the form of a new item, and then the item's secret. */
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
