import { useSelector } from "@xstate/react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { AdminModel, InstallationState } from "#contract/index.ts";
import type { ModelAction } from "#machines/models/events.ts";
import { isToInstall } from "#machines/models/rules.ts";
import { selectCommands } from "#machines/models/selectors.ts";
import { Button } from "#src/ui/button.tsx";
import type { IconName } from "#src/ui/icon.tsx";
import type { Models } from "./actor.ts";
import { modelName, wordsOf } from "./words.ts";

/** The place on the page: beside the need that the model serves, in the list of installed models, or in the catalog. */
export type ModelPlace = "need" | "ours" | "catalogue";

interface ModelButton {
  action: ModelAction;
  label: "install" | "pause" | "resume" | "cancel" | "remove" | "tryAgain" | "discard";
  icon: IconName;
}

const cancel: ModelButton = { action: "cancel", label: "cancel", icon: "close" };

/** The buttons in each state of an installation. A finished installation has none. */
const buttonsIn: Readonly<Partial<Record<InstallationState, readonly ModelButton[]>>> = {
  waiting: [{ action: "pause", label: "pause", icon: "pause" }, cancel],
  downloading: [{ action: "pause", label: "pause", icon: "pause" }, cancel],
  paused: [{ action: "resume", label: "resume", icon: "play" }, cancel],
  verifying: [cancel],
  unpacking: [cancel],
  trying: [cancel],
  failed: [
    { action: "install", label: "tryAgain", icon: "retry" },
    { action: "cancel", label: "discard", icon: "close" },
  ],
};

const install: ModelButton = { action: "install", label: "install", icon: "download" };
const remove: ModelButton = { action: "remove", label: "remove", icon: "trash" };

function buttonsFor(model: AdminModel): readonly ModelButton[] {
  if (isToInstall(model)) return [install];
  const underWay = model.installation === null ? undefined : buttonsIn[model.installation.state];
  return underWay ?? (model.installed === null || model.installed.source === "builtIn" ? [] : [remove]);
}

/** Moves the focus to the model's name, because the button disappears. */
const focusName = ({ currentTarget }: MouseEvent) =>
  currentTarget.closest("article")?.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });

/** The buttons of one model. */
export function Actions({ models, model, place }: { models: Models; model: AdminModel; place: ModelPlace }) {
  const words = wordsOf(useTranslation("models"));
  const pending = useSelector(models, (snapshot) => selectCommands(snapshot).find(({ id }) => id === model.id)?.action);
  const name = modelName(model, words);
  // Only the list of installed models offers the removal.
  const buttons = buttonsFor(model).filter(({ action }) => action !== "remove" || place === "ours");
  if (buttons.length === 0) return null;
  return (
    <div className="row">
      {buttons.map(({ action, label, icon }) => (
        <Button
          key={label}
          icon={icon}
          look={label === "remove" ? "quiet" : "secondary"}
          busy={pending === action}
          aria-disabled={pending !== undefined || undefined}
          aria-label={`${words.t(`action.${label}`)}: ${name}`}
          onClick={(event) => {
            if (pending !== undefined) return;
            if (action !== "remove") focusName(event);
            models.send({ type: "command.requested", command: { action, id: model.id } });
          }}
        >
          {words.t(`action.${label}`)}
        </Button>
      ))}
    </div>
  );
}
