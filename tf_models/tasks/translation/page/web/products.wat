;; sums_u += Σ_i x_i kernel_iu, of float32: x (inputs), kernel (inputs, units) row after row, sums (units).
;;
;; x, kernel and sums are places in memory, in bytes; inputs is 4, 8, 12, … Four inputs are taken at once,
;; so that a sum is read and written once for four products. Units go two times four at once: where they
;; are no multiple of 8, the last ones go up to seven numbers beyond the end of sums.
(module
  (import "page" "memory" (memory 1))
  (func (export "addProducts")
    (param $x i32) (param $kernel i32) (param $sums i32) (param $inputs i32) (param $units i32)
    (local $width i32) (local $x_end i32) (local $sums_end i32) (local $sum i32)
    (local $k i32) (local $l i32) (local $m i32) (local $n i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $width (i32.mul (local.get $units) (i32.const 4)))
    (local.set $x_end (i32.add (local.get $x) (i32.mul (local.get $inputs) (i32.const 4))))
    (local.set $sums_end (i32.add (local.get $sums) (local.get $width)))
    (loop $inputs_left
      (local.set $a (v128.load32_splat (local.get $x)))
      (local.set $b (v128.load32_splat offset=4 (local.get $x)))
      (local.set $c (v128.load32_splat offset=8 (local.get $x)))
      (local.set $d (v128.load32_splat offset=12 (local.get $x)))
      (local.set $k (local.get $kernel))
      (local.set $sum (local.get $sums))
      (loop $units_left
        (local.set $l (i32.add (local.get $k) (local.get $width)))
        (local.set $m (i32.add (local.get $l) (local.get $width)))
        (local.set $n (i32.add (local.get $m) (local.get $width)))
        (v128.store (local.get $sum)
          (f32x4.add (v128.load (local.get $sum))
            (f32x4.add
              (f32x4.add
                (f32x4.mul (local.get $a) (v128.load (local.get $k)))
                (f32x4.mul (local.get $b) (v128.load (local.get $l))))
              (f32x4.add
                (f32x4.mul (local.get $c) (v128.load (local.get $m)))
                (f32x4.mul (local.get $d) (v128.load (local.get $n)))))))
        (v128.store offset=16 (local.get $sum)
          (f32x4.add (v128.load offset=16 (local.get $sum))
            (f32x4.add
              (f32x4.add
                (f32x4.mul (local.get $a) (v128.load offset=16 (local.get $k)))
                (f32x4.mul (local.get $b) (v128.load offset=16 (local.get $l))))
              (f32x4.add
                (f32x4.mul (local.get $c) (v128.load offset=16 (local.get $m)))
                (f32x4.mul (local.get $d) (v128.load offset=16 (local.get $n)))))))
        (local.set $k (i32.add (local.get $k) (i32.const 32)))
        (local.set $sum (i32.add (local.get $sum) (i32.const 32)))
        (br_if $units_left (i32.lt_u (local.get $sum) (local.get $sums_end))))
      (local.set $kernel (i32.add (local.get $kernel) (i32.mul (local.get $width) (i32.const 4))))
      (local.set $x (i32.add (local.get $x) (i32.const 16)))
      (br_if $inputs_left (i32.lt_u (local.get $x) (local.get $x_end))))))
