import { useSelector } from "@xstate/react";
import type { MouseEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { selectAllTags, selectFolders, selectIsOffered } from "#machines/filing/machine.ts";
import { selectFolder, selectOnlyFavourites, selectTags } from "#machines/transcriptions/filed-filters.ts";
import { selectDateRange, selectLanguage, selectStatus } from "#machines/transcriptions/filters.ts";
import { Glyph, TagDot } from "#src/features/filing/glyphs.tsx";
import { languageName } from "#src/i18n/format.ts";
import { Icon } from "#src/ui/icon.tsx";
import type { OpenTranscriptions } from "./actor.ts";
import styles from "./library.module.css";

/** What has the focus disappears with the last filter. */
export function focusSearch(): void {
  document.querySelector<HTMLElement>("main input[type=search]")?.focus();
}

type SetFiltersProps = Pick<OpenTranscriptions, "filters" | "filedFilters" | "filing">;

/** The filters that are set, each with a button that removes it. */
export function SetFilters({ filters, filedFilters, filing }: SetFiltersProps) {
  const { t, i18n } = useTranslation("app");
  const [language, dateRange, status] = [
    useSelector(filters, selectLanguage),
    useSelector(filters, selectDateRange),
    useSelector(filters, selectStatus),
  ];
  const isFiled = useSelector(filing.list, selectIsOffered);
  return (
    <ul className={styles.chips} aria-label={t("history.set")}>
      {isFiled ? <SetFiled filedFilters={filedFilters} filing={filing} /> : null}
      {language === "all" ? null : (
        <Chip
          name={languageName(language, i18n.language)}
          onRemove={() => filters.send({ type: "language.changed", language: "all" })}
        />
      )}
      {dateRange === "all" ? null : (
        <Chip
          name={t(`history.dates.${dateRange}`)}
          onRemove={() => filters.send({ type: "dateRange.changed", dateRange: "all" })}
        />
      )}
      {status === "all" ? null : (
        <Chip name={t(`status.${status}`)} onRemove={() => filters.send({ type: "status.changed", status: "all" })} />
      )}
    </ul>
  );
}

function SetFiled({ filedFilters, filing }: Pick<SetFiltersProps, "filedFilters" | "filing">) {
  const { t } = useTranslation("filing");
  const chosen = useSelector(filedFilters, selectFolder);
  const folder = useSelector(filing.list, selectFolders).find(({ id }) => id === chosen);
  const isFavourites = useSelector(filedFilters, selectOnlyFavourites);
  const ids = useSelector(filedFilters, selectTags);
  const tags = useSelector(filing.list, selectAllTags).filter(({ id }) => ids.includes(id));
  return (
    <>
      {isFavourites ? (
        <Chip
          sign={<Glyph name="star" filled />}
          name={t("favourites")}
          onRemove={() => filedFilters.send({ type: "favourites.toggled" })}
        />
      ) : null}
      {chosen === "none" || folder !== undefined ? (
        <Chip
          sign={<Glyph name="folder" />}
          name={folder?.name ?? t("noFolder")}
          onRemove={() => filedFilters.send({ type: "folder.changed", folder: "all" })}
        />
      ) : null}
      {tags.map(({ id, name, colour }) => (
        <Chip
          key={id}
          sign={<TagDot colour={colour} />}
          name={name}
          onRemove={() => filedFilters.send({ type: "tag.toggled", id })}
        />
      ))}
    </>
  );
}

interface ChipProps {
  sign?: ReactNode;
  name: string;
  onRemove(): void;
}

function Chip({ sign, name, onRemove }: ChipProps) {
  const { t } = useTranslation("app");
  const remove = ({ currentTarget }: MouseEvent) => {
    // The chip disappears with its button.
    const chip = currentTarget.closest("li");
    const neighbour = (chip?.nextElementSibling ?? chip?.previousElementSibling)?.querySelector("button");
    if (neighbour) neighbour.focus();
    else focusSearch();
    onRemove();
  };
  return (
    <li>
      <button type="button" className={styles.chip} aria-label={t("history.remove", { name })} onClick={remove}>
        {sign}
        <span className={styles.chipName} dir="auto">
          {name}
        </span>
        <Icon name="close" />
      </button>
    </li>
  );
}
