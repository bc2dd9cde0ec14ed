// A bot in Go without any package but the standard library. It polls: it waits for decisions in
// all its games, and answers them. If it hits a limit, or the server is down, it tries again.
package main

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

var (
	base   = cmp.Or(os.Getenv("NIGHTMAIL"), "http://127.0.0.1:8000") + "/v1"
	token  = os.Getenv("NIGHTMAIL_TOKEN")
	client = http.Client{Timeout: 90 * time.Second}
)

// A Decision is what this bot reads of a decision; the rest is left aside.
type Decision struct {
	Game    string
	Version int
	Menu    []Entry
}

// An Entry is something that may be done.
type Entry struct {
	N      int
	Group  string
	Title  string
	Points int
	Ways   []string
	Choice *struct {
		Most   int
		Things []struct{ Value any }
	}
}

// An Answer is an entry with what completes it.
type Answer struct {
	Entry  int    `json:"entry"`
	Way    string `json:"way,omitempty"`
	Things []any  `json:"things,omitempty"`
}

// call sends a request until it is answered, and reads the JSON of the answer into result.
func call(method, path string, body, result any, headers map[string]string) *http.Response {
	data, err := json.Marshal(body)
	if err != nil {
		log.Fatal(err)
	}
	for {
		request, err := http.NewRequest(method, base+path, bytes.NewReader(data))
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", "application/json")
		for name, value := range headers {
			request.Header.Set(name, value)
		}
		response, err := client.Do(request)
		if err != nil { // the server is down
			time.Sleep(time.Second)
			continue
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		switch response.StatusCode {
		case 429, 502, 503, 504:
			seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
			time.Sleep(time.Duration(max(seconds, 1)) * time.Second)
			continue
		case 401, 403:
			log.Fatal(string(text))
		}
		if err != nil { // the connection was lost
			continue
		}
		if len(text) > 0 {
			if err := json.Unmarshal(text, result); err != nil {
				log.Fatal(err)
			}
		}
		return response
	}
}

// choose claims what scores most; otherwise it draws, or does what comes first in the menu.
func choose(menu []Entry) (Entry, Answer) {
	best := menu[0]
	for _, entry := range menu {
		isBetter := entry.Group == "claim" && (best.Group != "claim" || entry.Points > best.Points)
		if isBetter || (entry.Group == "draw" && best.Group != "claim") {
			best = entry
		}
	}
	answer := Answer{Entry: best.N}
	if len(best.Ways) > 0 {
		answer.Way = best.Ways[0] // the thriftiest
	}
	if best.Choice != nil {
		for _, thing := range best.Choice.Things[:best.Choice.Most] {
			answer.Things = append(answer.Things, thing.Value)
		}
	}
	return best, answer
}

// play makes a move. Repeated with the same key, the request has one effect.
func play(decision Decision) {
	entry, answer := choose(decision.Menu)
	var receipt struct {
		Detail string // of a refusal: the game has moved on
		Events []struct{ Sentence string }
	}
	headers := map[string]string{
		"If-Match":        fmt.Sprintf("%q", strconv.Itoa(decision.Version)),
		"Idempotency-Key": fmt.Sprintf("%s-%d", decision.Game, decision.Version),
	}
	body := map[string]any{"choose": answer}
	call("POST", "/games/"+decision.Game+"/moves", body, &receipt, headers)
	fmt.Print(decision.Version, " ", entry.Title, " | ", receipt.Detail)
	for _, event := range receipt.Events {
		fmt.Print(event.Sentence, " ")
	}
	fmt.Println()
}

// open opens a game against a house bot.
func open(house string) {
	body := map[string]any{"board": "usa", "seats": 2, "bots": map[string]int{house: 1}}
	call("POST", "/games", body, &struct{}{}, map[string]string{"Idempotency-Key": rand.Text()})
}

// isPlaying says whether a game of ours is running.
func isPlaying() bool {
	var list struct{ Games []any }
	call("GET", "/games?mine=true&status=running", nil, &list, nil)
	return len(list.Games) > 0
}

func main() {
	games, _ := strconv.Atoi(os.Getenv("GAMES"))
	for range games {
		open(cmp.Or(os.Getenv("HOUSE"), "easy"))
	}
	tag := ""
	for games == 0 || isPlaying() {
		var list struct{ Decisions []Decision }
		headers := map[string]string{"If-None-Match": tag} // waits until the list is another one
		response := call("GET", "/me/decisions?wait=30", nil, &list, headers)
		tag = response.Header.Get("ETag")
		for _, decision := range list.Decisions {
			play(decision)
		}
	}
}
