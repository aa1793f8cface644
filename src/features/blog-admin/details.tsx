import { useSelector } from "@xstate/react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import { maxTopics, reservedSlugs } from "#contract/index.ts";
import { selectValues } from "#machines/blog-admin/post-editor/selectors.ts";
import { selectIsOwnSlug, selectSlugState } from "#machines/blog-admin/slug-check.ts";
import { apiBase } from "#src/api/http.ts";
import { byName, languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { ChoiceField, TextArea, TextField } from "#src/ui/field.tsx";
import { FileButton } from "#src/ui/file-button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { pictureAddress } from "#src/ui/markdown/addresses.ts";
import styles from "./details.module.css";
import { PictureRows } from "./picture-rows.tsx";
import type { OpenEditor } from "./post-editor-actor.ts";

interface Props {
  editor: OpenEditor;
}

const maxSummary = 300;
const maxTopic = 40;

/** The post's metadata. */
export function Details({ editor }: Props) {
  const { t } = useTranslation("blog-admin");
  return (
    <section className={`stack gap-4 ${styles.details}`} aria-labelledby="details-title">
      <h2 id="details-title">{t("details")}</h2>
      <div className={styles.columns}>
        <div className="stack gap-4">
          <Address editor={editor} />
          <Summary editor={editor} />
        </div>
        <div className="stack gap-4">
          <Topics editor={editor} />
          <Language editor={editor} />
        </div>
        <Cover editor={editor} />
      </div>
    </section>
  );
}

function Address({ editor: { actor, slug } }: Props) {
  const { t } = useTranslation("blog-admin");
  const { slug: value, title } = useSelector(actor, selectValues);
  const state = useSelector(slug, selectSlugState);
  const own = useSelector(slug, selectIsOwnSlug);
  const wrong =
    state === "taken" ? (reservedSlugs.has(value) ? "slug.reserved" : "slug.taken") : state === "wrong" ? "slug.wrong" : null;
  const change = (typed: string) => {
    slug.send({ type: "slug.typed", slug: typed });
    actor.send({ type: "values.changed", values: { slug: typed } });
  };
  return (
    <div className={`stack gap-2 ${styles.address}`}>
      <TextField
        label={t("fields.slug")}
        hint={
          <>
            <span className={styles.where}>/blog/{value || "…"}</span>{" "}
            <span role="status">{wrong === null ? t(`slug.${state}`) : t(wrong)}</span>
          </>
        }
        error={wrong === null ? undefined : t(wrong)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={120}
        value={value}
        onChange={({ target }) => change(target.value.toLowerCase().replaceAll(" ", "-"))}
      />
      {own && title.trim() !== "" ? (
        <Button
          look="quiet"
          icon="retry"
          onClick={({ currentTarget }) => {
            currentTarget.parentElement?.querySelector("input")?.focus();
            change("");
          }}
        >
          {t("slug.fromTitle")}
        </Button>
      ) : null}
    </div>
  );
}

function Summary({ editor: { actor } }: Props) {
  const { t } = useTranslation("blog-admin");
  const { summary, language } = useSelector(actor, selectValues);
  return (
    <TextArea
      label={t("fields.summary")}
      hint={t("summaryHint", { used: summary.length, most: maxSummary })}
      rows={3}
      maxLength={maxSummary}
      lang={language}
      value={summary}
      onChange={({ target }) => actor.send({ type: "values.changed", values: { summary: target.value } })}
    />
  );
}

/** Topics as chips. Enter or a comma adds the typed topic; Backspace in the empty field removes the last one. */
function Topics({ editor: { actor, topics: known } }: Props) {
  const { t } = useTranslation("blog-admin");
  const { topics } = useSelector(actor, selectValues);
  const suggested = useSelector(known, ({ output }) => output);
  const [typed, setTyped] = useState("");
  const input = useRef<HTMLDivElement>(null);
  const id = useId();
  const set = (next: readonly string[]) => actor.send({ type: "values.changed", values: { topics: next } });
  const isNew = (topic: string) => !topics.some((one) => one.toLowerCase() === topic.toLowerCase());
  const add = (text: string) => {
    const wanted = text.split(",").map((topic) => topic.trim().slice(0, maxTopic));
    const fresh = wanted.filter((topic, index) => topic !== "" && isNew(topic) && wanted.indexOf(topic) === index);
    if (fresh.length > 0) set([...topics, ...fresh].slice(0, maxTopics));
    setTyped("");
  };
  const full = topics.length >= maxTopics;
  return (
    <div ref={input} className="stack gap-2">
      <TextField
        label={t("fields.topics")}
        hint={t(full ? "topics.full" : "topics.hint", { most: maxTopics })}
        list={`${id}-known`}
        autoComplete="off"
        disabled={full}
        value={typed}
        onChange={({ target }) => (target.value.includes(",") ? add(target.value) : setTyped(target.value))}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            add(typed);
          } else if (event.key === "Backspace" && typed === "" && topics.length > 0) set(topics.slice(0, -1));
        }}
        onBlur={() => add(typed)}
      />
      <datalist id={`${id}-known`}>
        {(suggested ?? []).filter(isNew).map((topic) => (
          <option key={topic} value={topic} />
        ))}
      </datalist>
      {topics.length === 0 ? null : (
        <ul className="row" aria-label={t("topics.chosen")}>
          {topics.map((topic) => (
            <li key={topic}>
              <button
                type="button"
                className={`tall gap-1 size-1 ${styles.chip}`}
                aria-label={t("topics.remove", { topic })}
                onClick={() => {
                  set(topics.filter((one) => one !== topic));
                  input.current?.querySelector("input")?.focus();
                }}
              >
                {topic}
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Language({ editor: { actor } }: Props) {
  const { t, i18n } = useTranslation("blog-admin");
  const { language } = useSelector(actor, selectValues);
  return (
    <ChoiceField
      label={t("fields.language")}
      hint={t("languageHint")}
      value={language}
      values={byName([language, ...builtInLanguages.map(({ code }) => code)], i18n.language)}
      textOf={(code) => languageName(code, i18n.language)}
      onChoose={(chosen) => actor.send({ type: "values.changed", values: { language: chosen } })}
    />
  );
}

/** The cover picture, shown above the post and in lists. */
function Cover({ editor }: Props) {
  const { t } = useTranslation("blog-admin");
  const { actor } = editor;
  const { cover } = useSelector(actor, selectValues);
  const address = pictureAddress(cover?.url, { page: location.href, api: apiBase });
  return (
    <div className={`stack gap-2 ${styles.cover}`}>
      <h3 className="label">{t("fields.cover")}</h3>
      {cover !== null && address?.own ? (
        <img className={styles.coverPicture} src={address.src} alt={cover.alt} width={cover.width} height={cover.height} />
      ) : (
        <p className="note">{t("cover.none")}</p>
      )}
      <div className="row">
        <FileButton
          icon="image"
          label={t(cover === null ? "cover.choose" : "cover.other")}
          accept="image/*"
          onFiles={([file]) => {
            if (file !== undefined) editor.addCover(file);
          }}
        />
        {cover === null ? null : (
          <Button
            look="quiet"
            icon="trash"
            onClick={({ currentTarget }) => {
              currentTarget.parentElement?.querySelector("button")?.focus();
              actor.send({ type: "values.changed", values: { cover: null } });
            }}
          >
            {t("cover.remove")}
          </Button>
        )}
      </div>
      <PictureRows editor={editor} use="cover" />
      {cover === null ? null : (
        <TextField
          label={t("pictures.alt")}
          hint={t("pictures.altHint")}
          maxLength={300}
          autoComplete="off"
          value={cover.alt ?? ""}
          onChange={({ target }) => actor.send({ type: "values.changed", values: { cover: { ...cover, alt: target.value } } })}
        />
      )}
    </div>
  );
}
