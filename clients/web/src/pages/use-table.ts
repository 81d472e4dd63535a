/** A table as it is now: followed for as long as it is shown, and seen. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { ServerClock } from "../clock";
import type { Heard } from "../following";
import type { Update } from "../gen/monsters/session/v1/session_pb";
import { insist, type Problem, problemOf } from "../problems";
import { about, sessions } from "../server";
import { listen } from "../sharing";
import type { Told } from "../switchboard";
import { EMPTY, type Table, withHistory, withSession, withSnapshot, withUpdate } from "../table";

/** So many that a slow connection has them in time. */
const PAGE = 200;

export function useTable(name: string, token: string | undefined) {
  const [table, setTable] = useState<Table>(EMPTY);
  const [problem, setProblem] = useState<Problem>();
  const clock = useMemo(() => new ServerClock(), []);
  const visible = useVisible();
  useEffect(() => {
    if (!visible) return;
    const fail = (error: unknown) => setProblem(problemOf(error));
    return listen(name, token, (told: Told) => {
      if (told.case === "failed") return setProblem(told.problem);
      setTable((now) => withTold(now, told));
      if (told.case === "lost") return;
      setProblem(undefined);
      if (told.case === "snapshot" || told.case === "heartbeat") clock.hear(told.value.serverTime);
      if (told.case === "update") clock.hear(told.value.commitTime);
      if (told.case !== "snapshot") return;
      historyOf(name, token, (page) => setTable((now) => withHistory(now, page))).catch(fail);
    });
  }, [name, token, clock, visible]);
  return { table, problem, clock };
}

/** Whether anybody can see this page: it rests in a tab that is hidden. */
function useVisible(): boolean {
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const listener = () => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  }, []);
  return visible;
}

function withTold(table: Table, heard: Heard): Table {
  switch (heard.case) {
    case "session":
      return withSession(table, heard.value);
    case "snapshot":
      return withSnapshot(table, heard.value);
    case "update":
      return withUpdate(table, heard.value);
    default:
      return { ...table, live: heard.case !== "lost" };
  }
}

async function historyOf(name: string, token: string | undefined, take: (updates: readonly Update[]) => void) {
  let pageToken = "";
  do {
    const request = { name, pageSize: PAGE, pageToken };
    const page = await insist(() => sessions.listEvents(request, about(name, token)));
    take(page.updates);
    pageToken = page.nextPageToken;
  } while (pageToken);
}
