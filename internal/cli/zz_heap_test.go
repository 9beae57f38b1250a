package cli_test

import (
	"fmt"
	"os"
	"runtime/pprof"
	"time"
)

func init() {
	go func() {
		for i := 0; ; i++ {
			time.Sleep(25 * time.Second)
			f, _ := os.Create(fmt.Sprintf("/tmp/heap.%d.%d", os.Getpid(), i))
			_ = pprof.Lookup("heap").WriteTo(f, 0)
			f.Close()
		}
	}()
}
