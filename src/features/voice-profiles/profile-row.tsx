import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { VoiceProfile } from "#contract/index.ts";
import { date, number } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import type { VoiceProfiles } from "./actor.ts";
import styles from "./voice-profiles.module.css";

interface ProfileProps {
  voices: VoiceProfiles;
  profile: VoiceProfile;
}

/** A known voice: its name, the number of recordings, and its first date. */
export function ProfileRow({ voices, profile }: ProfileProps) {
  const { t, i18n } = useTranslation("voice-profiles");
  const { id, name, recordings, heardAt, current } = profile;
  const renaming = useEditingInPlace();
  return (
    <li className={styles.profile}>
      <div className="grow">
        {renaming.editing ? (
          <Rename voices={voices} profile={profile} onDone={renaming.end} />
        ) : (
          <p className="strong anywhere">
            <bdi>{name}</bdi>
          </p>
        )}
        <p className="facts size-1">
          <span>{t("recordings", { number: number(recordings, i18n.language) })}</span>
          <span>{t("heard", { date: date(heardAt, i18n.language) })}</span>
        </p>
        {current ? null : <p className="facts size-1">{t("otherModel")}</p>}
      </div>
      {renaming.editing ? null : (
        <div className={`row ${styles.actions}`}>
          <IconButton ref={renaming.opener} icon="edit" label={t("renameWho", { name })} onClick={renaming.begin} />
          <IconButton
            icon="trash"
            label={t("removeWho", { name })}
            onClick={() => voices.send({ type: "change.requested", change: { kind: "remove", id } })}
          />
        </div>
      )}
    </li>
  );
}

/** Selects the text, so that typing replaces it. */
const takeFocus = (field: HTMLInputElement | null) => {
  field?.focus();
  field?.select();
};

function Rename({ voices, profile: { id, name }, onDone }: ProfileProps & { onDone(): void }) {
  const { t } = useTranslation("voice-profiles");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("name") ?? "").trim();
    if (typed !== "" && typed !== name) voices.send({ type: "change.requested", change: { kind: "rename", id, name: typed } });
    onDone();
  };
  return (
    <form
      className={`row ${styles.form}`}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
    >
      <input name="name" aria-label={t("name")} defaultValue={name} maxLength={80} autoComplete="off" ref={takeFocus} />
      <Button type="submit" look="primary">
        {t("save")}
      </Button>
      <Button look="quiet" onClick={onDone}>
        {t("cancel")}
      </Button>
    </form>
  );
}
