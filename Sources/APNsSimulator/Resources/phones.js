"use strict";
// Draws what `live` tells, a second at a time. The new picture is laid over the old one element by element, so that
// nothing flickers, scrolls or loses the keyboard's focus while it changes.

const steps = ["placed", "accepted", "on_the_way", "courier_waiting", "delivered"];
const words = { placed: "Order placed", accepted: "Being prepared", on_the_way: "On the way",
  courier_waiting: "Your courier is here", delivered: "Delivered", cancelled: "Cancelled", failed: "Not delivered",
  returned: "Returned" };
const appStates = { foreground: "app open", background: "app in the background", terminated: "app not running",
  forceQuit: "app force-quit" };
const enders = { push: "ended by a push", lifetime: "ended by the system after 8 hours", swipe: "dismissed",
  app: "ended by the app", system: "taken away by the system" };
const only = new URLSearchParams(location.search).get("phone");

// MARK: Making and laying over

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(2).filter(child => child !== null && child !== undefined && child !== ""));
  return element;
}

const keyOf = node => node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") : null;
const isSame = (a, b) => a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function lay(picture, over) {
  if (over.nodeType === Node.TEXT_NODE) {
    if (over.data !== picture.data) over.data = picture.data;
    return;
  }
  for (const { name } of [...over.attributes]) if (!picture.hasAttribute(name)) over.removeAttribute(name);
  for (const { name, value } of picture.attributes) {
    if (over.getAttribute(name) !== value) over.setAttribute(name, value);
  }
  layChildren([...picture.childNodes], over);
}

function layChildren(pictures, over) {
  let place = over.firstChild;
  for (const picture of pictures) {
    let found = place;
    while (found && !isSame(found, picture)) found = found.nextSibling;
    if (!found) {
      over.insertBefore(picture, place);
      continue;
    }
    if (found === place) place = place.nextSibling;
    else over.insertBefore(found, place);
    lay(picture, found);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

// MARK: Words

const hour = time => new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const second = time =>
  new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const isBuiltIn = card => card.content !== null && card.content.phase in words;
const headline = card => isBuiltIn(card) ? words[card.content.phase] : String(card.phase || card.attributesType);
const arrival = card => isBuiltIn(card) && card.content.eta ? hour(card.content.eta * 1000) : "";
const place = card => (card.attributes && card.attributes.restaurant) || card.order;
const dot = card => make("span", { class: isBuiltIn(card) && card.content.late ? "dot late" : "dot" }, (place(card) || "?").slice(0, 1).toUpperCase());
const button = (label, action, name, more) =>
  make("button", { type: "button", "data-key": action, "data-action": action, "aria-label": name, ...more }, label);

// MARK: The screen

function face(card) {
  return isBuiltIn(card) ? builtInFace(card) : foreignFace(card);
}

function builtInFace(card) {
  const content = card.content, attributes = card.attributes, step = steps.indexOf(content.phase);
  const notes = [content.courier, content.attemptFailed ? "delivery attempt failed" : "", content.pendingCommand]
    .filter(Boolean).join(" · ");
  return make("div", { class: "face" },
    make("div", { class: "row small" }, make("span", { class: "place", title: place(card) }, place(card)),
      make("span", { class: "number" }, attributes.displayNumber || (attributes.restaurant ? card.order : ""))),
    make("div", { class: "row" }, make("span", { class: "phase" }, headline(card)),
      make("span", { class: content.late ? "arrival late" : "arrival" }, arrival(card) + (content.late ? " late" : ""))),
    make("div", { class: step < 0 ? "bar off" : "bar", "aria-hidden": "true" },
      steps.map((_, index) => make("i", { class: step < 0 || index <= step ? "on" : null }))),
    notes ? make("div", { class: "small" }, notes) : null);
}

// A type of the app's own: Doorstep does not know how it is drawn, so its members are shown.
function foreignFace(card) {
  const members = Object.entries(card.content || {});
  const text = value => value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);
  return make("div", { class: "face" },
    make("div", { class: "row small" }, make("span", null, card.order), make("span", null, card.attributesType)),
    make("div", { class: "phase" }, headline(card)),
    make("dl", { class: "members" }, members.map(([name, value]) => [make("dt", null, name), make("dd", null, text(value))])));
}

function stateOf(card) {
  if (card.awaitsPrompt) return "Allow Live Activities? Nobody has answered.";
  if (card.state === "ended") return "Ended · goes at " + hour(card.dismissAt);
  if (card.state === "stale" || (isBuiltIn(card) && card.content.stale)) return "Not up to date";
  return "";
}

function drawCard(card) {
  const about = { "data-activity": card.activity }, name = "card of order " + card.order;
  const buttons = card.awaitsPrompt
    ? [button("Don’t Allow", "deny", "Don’t Allow, " + name, about), button("Allow", "allow", "Allow, " + name, about)]
    : [];
  buttons.push(button("Dismiss", "dismiss", "Dismiss the " + name, about));
  return make("article", { class: "card " + card.state, "data-key": card.activity, "data-order": card.order,
    "data-shown": JSON.stringify([card.state, card.content]), "aria-label": "Live Activity of order " + card.order },
    face(card),
    make("div", { class: card.awaitsPrompt ? "foot asks" : "foot" }, make("span", { class: "state" }, stateOf(card)), buttons));
}

function drawIsland(island, cards) {
  const shown = island.activities.map(id => cards.find(card => card.activity === id)).filter(Boolean);
  const about = shown.map(card => "order " + card.order + ", " + headline(card) + " " + arrival(card)).join("; ");
  const label = { role: "group", "aria-label": "Dynamic Island" + (about ? ": " + about : ", empty") };
  if (island.mode === "minimal" && shown.length > 1) {
    return make("div", { class: "islands", "data-key": "island", ...label },
      make("div", { class: "island minimal" }, dot(shown[0])), make("div", { class: "island minimal detached" }, dot(shown[1])));
  }
  if (island.mode === "expanded" && shown.length > 0) {
    const card = shown[0], alert = card.alert || {};
    return make("div", { class: "islands", "data-key": "island", ...label }, make("div", { class: "island expanded" },
      make("div", { class: "row" }, dot(card), make("span", null, place(card)), make("span", null, arrival(card))),
      alert.title ? make("strong", null, alert.title) : null, alert.body ? make("span", null, alert.body) : null));
  }
  const card = shown[0];
  return make("div", { class: "islands", "data-key": "island", ...label }, card
    ? make("div", { class: "island compact" }, make("span", { class: "leading" }, dot(card)),
      make("span", { class: "trailing" }, arrival(card) || headline(card)))
    : make("div", { class: "island none" }));
}

function drawDevice(phone, now) {
  const cards = phone.cards.filter(card => card.state !== "dismissed");
  const marks = [phone.online ? "" : "Offline", phone.installed ? "" : "App removed",
    phone.activitiesEnabled ? "" : "Live Activities off", phone.notificationsAllowed ? "" : "Notifications off"];
  return make("div", { class: phone.installed ? "device" : "device removed", "data-key": "device" },
    drawIsland(phone.island, cards),
    make("div", { class: "clock", "data-key": "clock" }, hour(now)),
    make("ul", { class: "marks", "data-key": "marks" }, marks.filter(Boolean).map(mark => make("li", { "data-key": mark }, mark))),
    phone.alerts.slice(-2).map(alert => make("div", { class: "notice", "data-key": "alert " + alert.at + alert.collapseId },
      make("strong", null, alert.title || ""), make("div", { class: "small" }, alert.body || ""))),
    cards.slice(-4).map(drawCard),
    cards.length > 4 ? make("div", { class: "notice small", "data-key": "more" }, "Older cards: " + (cards.length - 4)) : null);
}

// MARK: The person, and what came

function drawControls(phone) {
  const turn = (label, isOn, on, off, name) => make("button", { type: "button", role: "switch", "data-key": label, title: name,
    "aria-checked": String(isOn), "aria-label": (name || label) + ", phone " + phone.id, "data-action": isOn ? off : on }, label);
  const press = (label, action) => button(label, action, label + ", phone " + phone.id);
  return make("div", { class: "controls", "data-key": "controls", role: "group", "aria-label": "The person with phone " + phone.id },
    press("Open app", "open"), press("Background", "background"), press("Force quit", "force-quit"),
    turn("Online", phone.online, "online", "offline"),
    turn("Live Activities", phone.activitiesEnabled, "enable", "disable"),
    turn("Frequent", phone.frequentPushes, "frequent-on", "frequent-off", "Frequent updates"),
    turn("Notifications", phone.notificationsAllowed, "notifications-on", "notifications-off"));
}

function drawPush(push) {
  const what = [push.event, push.order ? "order " + push.order : "", push.revision === null ? "" : "rev. " + push.revision,
    "priority " + push.priority].filter(Boolean).join(" · ");
  return make("li", { "data-key": push.sequence, "data-why": push.why || "shown" },
    make("time", { datetime: push.at }, second(push.at)), make("span", null, what),
    make("span", { class: push.applied ? "why shown" : "why" }, push.meaning));
}

function drawPhone(phone, now) {
  const gone = phone.cards.filter(card => card.state === "dismissed").slice(-2)
    .map(card => "order " + card.order + " " + (enders[card.endedBy] || "gone") + " at " + hour(card.endedAt));
  const facts = [phone.customer ? "customer " + phone.customer : "nobody logged in", phone.app, "iOS " + phone.os,
    phone.environment, phone.installed ? appStates[phone.appState] : ""].filter(Boolean).join(" · ");
  return make("section", { class: "phone", "data-key": phone.id, "data-phone": phone.id, "aria-label": "Phone " + phone.id },
    drawDevice(phone, now),
    make("h2", { "data-key": "name" }, make("a", { href: "?phone=" + encodeURIComponent(phone.id) }, phone.id)),
    make("p", { class: "facts", "data-key": "facts" }, facts, ...gone.flatMap(line => [make("br"), line])),
    drawControls(phone),
    make("ol", { class: "pushes", "data-key": "pushes", "aria-label": "Last pushes to phone " + phone.id },
      phone.recent.map(drawPush)));
}

function drawEmpty() {
  if (only !== null) {
    return make("div", { class: "empty", "data-key": "empty" }, make("h2", null, "There is no phone " + only),
      make("p", null, make("a", { href: "." }, "Show all phones")));
  }
  const example = "curl -X POST " + location.origin + "/phones -d '{\"id\": \"P1\", \"customer\": \"C1\"}'";
  return make("div", { class: "empty", "data-key": "empty" }, make("h2", null, "No phones yet"),
    make("p", null, "Make one; its app registers with Doorstep by itself, and cards appear here as pushes arrive:"),
    make("pre", null, make("code", null, example)),
    make("p", null, "Then send events of an order of customer C1 to Doorstep, or let a whole evening happen: ",
      make("code", null, "doorstep replay"), "."));
}

function drawTotals(totals, now) {
  const sum = counts => Object.values(counts).reduce((a, b) => a + b, 0);
  const figures = [["phones", totals.phones], ["cards", totals.cards], ["starts", totals.accepted.start],
    ["updates", totals.accepted.update], ["ends", totals.accepted.end], ["refused", sum(totals.refused)],
    ["violations", totals.violations], ["clock", second(now)]];
  return figures.map(([name, value]) => make("div", { "data-key": name, class: name === "violations" && value > 0 ? "bad" : null },
    make("dt", null, name), make("dd", null, String(value))));
}

// MARK: Asking and doing

const byID = id => document.getElementById(id);
const shown = new Map();

function draw(live) {
  layChildren(drawTotals(live.totals, live.now), byID("totals"));
  layChildren(live.phones.length ? live.phones.map(phone => drawPhone(phone, live.now)) : [drawEmpty()], byID("phones"));
  for (const card of document.querySelectorAll(".card")) {
    const key = card.dataset.key, text = card.dataset.shown;
    if (shown.has(key) && shown.get(key) !== text) {
      card.classList.add("flash");
      setTimeout(() => card.classList.remove("flash"), 1200);
    }
    shown.set(key, text);
  }
}

function complain(text) {
  byID("trouble").textContent = text;
  byID("trouble").hidden = text === "";
}

let isBusy = false;
async function load() {
  if (isBusy || document.hidden) return;
  isBusy = true;
  try {
    const answer = await fetch(only === null ? "live" : "live?phone=" + encodeURIComponent(only));
    const state = await answer.json();
    if (answer.ok) draw(state);
    complain(answer.ok ? "" : state.detail);
  } catch {
    complain("The simulator does not answer.");
  } finally {
    isBusy = false;
  }
}

async function act(target) {
  const phone = target.closest("[data-phone]").dataset.phone;
  const body = target.dataset.activity ? JSON.stringify({ activity: target.dataset.activity }) : "";
  try {
    await fetch("phones/" + encodeURIComponent(phone) + "/" + target.dataset.action, { method: "POST", body });
    isBusy = false;
    await load();
  } catch {
    complain("The simulator does not answer.");
  }
}

byID("phones").addEventListener("click", event => {
  const target = event.target.closest("[data-action]");
  if (target) act(target);
});
byID("find").addEventListener("submit", event => {
  if (byID("phone").value === "") {
    event.preventDefault();
    location.assign(".");
  }
});
byID("phones").classList.toggle("one", only !== null);
if (only !== null) byID("phone").value = only;
document.addEventListener("visibilitychange", load);
load();
setInterval(load, 1000);
